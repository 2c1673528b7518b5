/** A table that is wider than its box can be scrolled by keyboard once it can have the focus. */
export function reachTablesByKeyboard() {
  const reach = (box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const observer = new ResizeObserver((entries) => entries.forEach(({ target }) => reach(target)));
  for (const box of document.querySelectorAll("div.table")) observer.observe(box);
}
