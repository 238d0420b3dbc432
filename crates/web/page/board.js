"use strict";
// A board on the page: tiles that slide, combine and appear. The rules are the engine's; what is here only shows them.

const DIRECTIONS = ["up", "down", "left", "right"];
const LETTERS = { U: "up", D: "down", L: "left", R: "right" };
const ARROWS = { up: "↑", down: "↓", left: "←", right: "→" };

/** Where every tile goes in a move: `{from, to, combines}` for each, and the board after it without a new tile. */
function slide(cells, rows, cols, direction) {
  const along = direction === "up" || direction === "down";
  const [lines, length] = along ? [cols, rows] : [rows, cols];
  const at = {
    up: (line, place) => place * cols + line,
    down: (line, place) => (rows - 1 - place) * cols + line,
    left: (line, place) => line * cols + place,
    right: (line, place) => line * cols + cols - 1 - place,
  }[direction];
  const after = new Array(cells.length).fill(0);
  const ways = [];
  for (let line = 0; line < lines; line++) {
    let landing = 0;
    let open = null;
    for (let place = 0; place < length; place++) {
      const from = at(line, place);
      const tile = cells[from];
      if (tile === 0) continue;
      if (open && cells[open.from] === tile && Math.abs(tile * 2) <= 2147483647) {
        open.combines = true;
        ways.push({ from, to: open.to, combines: true });
        after[open.to] = tile * 2;
        open = null;
      } else {
        open = { from, to: at(line, landing), combines: false };
        ways.push(open);
        after[open.to] = tile;
        landing++;
      }
    }
  }
  return { ways, after };
}

/** The class of a tile's colour. */
function look(tile) {
  const power = Math.log2(tile);
  return tile > 0 && Number.isInteger(power) && power <= 17 ? `t${power}` : "other";
}

/** A board in words, row by row. */
function inWords(cells, cols) {
  const rows = [];
  for (let start = 0; start < cells.length; start += cols) {
    const row = cells.slice(start, start + cols).map((tile) => tile || "empty");
    rows.push(`row ${start / cols + 1}: ${row.join(" ")}`);
  }
  return rows.join("; ");
}

class BoardView {
  constructor(element) {
    this.element = element;
    this.cells = [];
    this.tiles = new Map();
    this.size = "";
    element.setAttribute("role", "img");
    new ResizeObserver(() => this.scale()).observe(element);
  }

  /** Lays out empty cells. Places are in parts of the board, so that it may have any width. */
  layOut(rows, cols) {
    if (this.size === `${rows}x${cols}`) return;
    this.size = `${rows}x${cols}`;
    [this.rows, this.cols] = [rows, cols];
    const most = Math.max(rows, cols);
    this.gap = (most <= 8 ? 0.11 : 0.06);
    this.element.style.aspectRatio = `${cols + this.gap * (cols + 1)} / ${rows + this.gap * (rows + 1)}`;
    this.element.style.maxWidth = rows > cols ? `${100 * cols / rows}%` : "";
    this.element.replaceChildren();
    this.tiles.clear();
    for (let cell = 0; cell < rows * cols; cell++) {
      const element = document.createElement("div");
      element.className = "cell";
      this.place(element, cell);
      this.element.append(element);
    }
  }

  place(element, cell) {
    const [row, col] = [Math.floor(cell / this.cols), cell % this.cols];
    const [width, height] = [this.cols + this.gap * (this.cols + 1), this.rows + this.gap * (this.rows + 1)];
    element.style.left = `${100 * (this.gap + col * (1 + this.gap)) / width}%`;
    element.style.top = `${100 * (this.gap + row * (1 + this.gap)) / height}%`;
    element.style.width = `${100 / width}%`;
    element.style.height = `${100 / height}%`;
  }

  scale() {
    if (!this.cols) return;
    const side = this.element.clientWidth / (this.cols + this.gap * (this.cols + 1));
    for (const tile of this.element.querySelectorAll(".tile, button.cell")) {
      const digits = Math.max(tile.textContent.length, 2);
      tile.style.fontSize = `${side * Math.min(0.46, 1.28 / digits)}px`;
    }
  }

  add(cell, tile, kind) {
    const element = document.createElement("div");
    element.className = `tile ${look(tile)} ${kind}`;
    element.textContent = tile;
    this.place(element, cell);
    this.element.append(element);
    this.tiles.set(cell, element);
  }

  /** Shows a board at once. */
  set(cells, rows, cols) {
    this.layOut(rows, cols);
    for (const element of this.element.querySelectorAll(".tile")) element.remove();
    this.tiles.clear();
    cells.forEach((tile, cell) => { if (tile !== 0) this.add(cell, tile, ""); });
    this.cells = [...cells];
    this.describe();
    this.scale();
  }

  /** Shows a move from the present board: `after` is the board that it leads to. */
  move(direction, placed, after) {
    const { ways, after: shifted } = slide(this.cells, this.rows, this.cols, direction);
    const expected = [...shifted];
    if (placed) expected[placed[0]] = placed[1];
    if (expected.some((tile, cell) => tile !== after[cell])) {
      this.set(after, this.rows, this.cols);
      return;
    }
    for (const element of this.element.querySelectorAll(".tile.gone")) element.remove();
    const before = this.tiles;
    this.tiles = new Map();
    const combined = new Set();
    for (const { from, to, combines } of ways) {
      const element = before.get(from);
      if (!element) continue;
      element.classList.remove("new", "made");
      this.place(element, to);
      if (combines) {
        combined.add(to);
        element.classList.add("gone");
        setTimeout(() => element.remove(), 110);
      } else {
        this.tiles.set(to, element);
      }
    }
    for (const cell of combined) this.add(cell, shifted[cell], "made");
    if (placed) this.add(placed[0], placed[1], "new");
    this.cells = [...after];
    this.describe();
    this.scale();
  }

  describe() {
    this.element.setAttribute("aria-label", `Board, ${inWords(this.cells, this.cols)}`);
  }
}

/** A swipe in one of the four directions on an element. */
function onSwipe(element, act) {
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    start = { x: event.clientX, y: event.clientY, id: event.pointerId };
  });
  const finish = (event) => {
    if (!start || event.pointerId !== start.id) return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    start = null;
    if (Math.max(Math.abs(dx), Math.abs(dy)) < 18) return;
    act(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "right" : "left") : (dy > 0 ? "down" : "up"));
  };
  element.addEventListener("pointerup", finish);
  element.addEventListener("pointercancel", () => { start = null; });
  window.addEventListener("pointerup", finish);
}

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}
