// Sparklines of the last minute.

const LENGTH = 60;
const SVG = "http://www.w3.org/2000/svg";

/** A line of the latest values, drawn into a frame. */
export class Spark {
  constructor(frame) {
    this.values = new Array(LENGTH).fill(0);
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${LENGTH - 1} 100`);
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true");
    this.area = svg.appendChild(document.createElementNS(SVG, "path"));
    this.area.setAttribute("class", "area");
    this.path = svg.appendChild(document.createElementNS(SVG, "path"));
    frame.replaceChildren(svg);
  }

  /** Adds a value and draws; `least` is a height that the scale always reaches. */
  add(value, least) {
    this.values.push(value);
    this.values.shift();
    const top = Math.max(least, ...this.values) * 1.08;
    const points = this.values.map((v, i) => `${i} ${(100 - (96 * v) / top).toFixed(1)}`);
    this.path.setAttribute("d", `M${points.join("L")}`);
    this.area.setAttribute("d", `M0 100L${points.join("L")}L${LENGTH - 1} 100Z`);
  }
}
