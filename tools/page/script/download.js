/** Two buttons beside the title of a picture, for those who want it in a document. `image(kind)` gives a link to the file. */
export function offerDownloads(figure, image) {
  const offer = document.createElement("p");
  offer.className = "downloads";
  for (const kind of ["svg", "png"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = kind.toUpperCase();
    button.setAttribute("aria-label", `Save as ${kind.toUpperCase()}`);
    button.addEventListener("click", async () => {
      const link = document.createElement("a");
      link.href = await image(kind);
      link.download = `${figure.id}.${kind}`;
      link.click();
    });
    offer.append(button);
  }
  figure.querySelector("figcaption").after(offer);
}
