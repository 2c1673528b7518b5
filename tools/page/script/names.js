// Vega keeps the groups of rows in plain objects, by the text of a field. There "constructor" and its like are found
// before any row has come, so that a picture of such a name stays empty.
const isInherited = (text) => typeof text === "string" && text in Object.prototype;

/** With a space of no width behind it, which nobody sees. */
const ownName = (text) => (isInherited(text) ? `${text}\u200b` : text);

function withOwnNames(_, value) {
  if (!value || typeof value !== "object" || Array.isArray(value)) return ownName(value);
  if (!Object.keys(value).some(isInherited)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [ownName(key), one]));
}

/** JSON in which no key and no text is a name that every object has. */
export const parseData = (json) => JSON.parse(json, withOwnNames);
