"use strict";
// A game that is looked at again: a board, a curve of its score, and what each move lost.

class Viewer {
  constructor(element) {
    this.element = element;
    element.classList.add("viewer");
    element.innerHTML = `
      <h2></h2>
      <div class="frame"><div class="board" tabindex="0"></div></div>
      <div class="row">
        <button data-go="start" aria-label="To the start">|◀</button>
        <button data-go="back" aria-label="One move back">◀</button>
        <button data-go="run" class="main" aria-pressed="false">Run</button>
        <button data-go="on" aria-label="One move forward">▶</button>
        <button data-go="end" aria-label="To the end">▶|</button>
        <button data-go="worse">Next lost move</button>
      </div>
      <label class="slider">Move <input type="range" min="0" value="0" data-at><output></output></label>
      <svg class="curve" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img"><g></g><path class="path"></path><line class="here" y1="0" y2="100"></line></svg>
      <p class="verdict" aria-live="polite"></p>`;
    const find = (selector) => element.querySelector(selector);
    this.view = new BoardView(find(".board"));
    [this.slider, this.output, this.curve, this.verdict] = [find("[data-at]"), find("output"), find(".curve"), find(".verdict")];
    this.pause = 250;
    element.addEventListener("click", (event) => {
      const button = event.target.closest("[data-go]");
      if (button) this.act(button.dataset.go);
    });
    this.slider.addEventListener("input", () => { this.stop(); this.go(Number(this.slider.value)); });
    const point = (event) => {
      const box = this.curve.getBoundingClientRect();
      this.stop();
      this.go(Math.round((event.clientX - box.left) / box.width * this.length));
    };
    this.curve.addEventListener("pointerdown", (event) => { this.curve.setPointerCapture(event.pointerId); point(event); });
    this.curve.addEventListener("pointermove", (event) => { if (event.buttons) point(event); });
    onSwipe(find(".board"), (direction) => { this.stop(); this.go(this.at + (direction === "left" || direction === "up" ? 1 : -1)); });
    element.hidden = true;
  }

  show(game) {
    this.stop();
    this.game = game;
    this.length = game.moves.length;
    this.marks = new Array(this.length).fill(null);
    this.boards = [game.first];
    this.element.hidden = false;
    this.element.querySelector("h2").textContent = game.title;
    this.slider.max = this.length;
    this.at = null;
    const highest = Math.max(1, ...game.scores.slice(-1));
    // A long game has more moves than the curve has points.
    const step = Math.max(1, Math.ceil(this.length / 1000));
    const points = [];
    for (let at = 0; at <= this.length; at += step) points.push(this.point(at, highest));
    points.push(this.point(this.length, highest));
    this.curve.querySelector(".path").setAttribute("d", `M${points.join("L")}`);
    this.curve.querySelector("g").replaceChildren();
    this.curve.setAttribute("aria-label", `Score over ${this.length} moves, up to ${highest}`);
    this.go(0);
  }

  point(at, highest) {
    const x = this.length ? 1000 * at / this.length : 0;
    return `${x.toFixed(1)},${(96 - 92 * this.game.scores[at] / highest).toFixed(1)}`;
  }

  /** The board after some moves. One in 64 is kept. */
  board(at) {
    let kept = Math.min(Math.floor(at / 64), this.boards.length - 1);
    let cells = this.boards[kept];
    for (let move = kept * 64; move < at; move++) {
      cells = this.after(cells, move);
      if ((move + 1) % 64 === 0 && this.boards.length === (move + 1) / 64) this.boards.push(cells);
    }
    return cells;
  }

  after(cells, move) {
    const { after } = slide(cells, this.game.rows, this.game.cols, LETTERS[this.game.moves[move]]);
    const [cell, tile] = this.game.placed[move];
    if (cell >= 0) after[cell] = tile;
    return after;
  }

  go(at) {
    at = Math.max(0, Math.min(this.length, at));
    if (at === this.at) return;
    if (this.at !== null && at === this.at + 1) {
      const [cell, tile] = this.game.placed[this.at];
      this.view.move(LETTERS[this.game.moves[this.at]], cell >= 0 ? [cell, tile] : null, this.board(at));
    } else {
      this.view.set(this.board(at), this.game.rows, this.game.cols);
    }
    this.at = at;
    this.slider.value = at;
    this.output.textContent = `${at} of ${this.length}`;
    const x = this.length ? 1000 * at / this.length : 0;
    const here = this.curve.querySelector(".here");
    here.setAttribute("x1", x);
    here.setAttribute("x2", x);
    this.tell();
  }

  tell() {
    this.verdict.replaceChildren();
    const say = (text, strong) => this.verdict.append(strong ? Object.assign(document.createElement("strong"), { textContent: text }) : text);
    say(`Score ${grouped(this.game.scores[this.at])}. `);
    if (this.at === this.length) { say("The end."); return; }
    const made = LETTERS[this.game.moves[this.at]];
    say(`Next: ${ARROWS[made]} ${made}. `);
    const mark = this.marks[this.at];
    if (!mark) return;
    const [, best, value, loss, sign] = mark;
    const better = DIRECTIONS[best];
    if (better === made || loss === 0) { say("The computer's choice, too."); return; }
    say(`The computer prefers ${ARROWS[better]} ${better}: ${loss.toFixed(1)} of ${value.toFixed(0)} lost `);
    if (sign) say(sign, true);
  }

  /** Adds marks as they come: `[move, best direction, its value, what was lost, sign]`. */
  mark(marks) {
    const group = this.curve.querySelector("g");
    for (const mark of marks) {
      this.marks[mark[0]] = mark;
      if (mark[4] === "?" || mark[4] === "??") {
        const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
        const x = 1000 * mark[0] / this.length;
        for (const [name, value] of [["class", "bad"], ["x1", x], ["x2", x], ["y1", mark[4] === "??" ? 60 : 80], ["y2", 100]]) line.setAttribute(name, value);
        group.append(line);
      }
      if (mark[0] === this.at) this.tell();
    }
  }

  act(what) {
    if (what !== "run") this.stop();
    if (what === "start") this.go(0);
    if (what === "back") this.go(this.at - 1);
    if (what === "on") this.go(this.at + 1);
    if (what === "end") this.go(this.length);
    if (what === "worse") {
      const next = this.marks.findIndex((mark, at) => at > this.at && mark && mark[4]);
      if (next >= 0) this.go(next);
    }
    if (what === "run") {
      if (this.timer) { this.stop(); return; }
      if (this.at === this.length) this.go(0);
      this.element.querySelector("[data-go=run]").setAttribute("aria-pressed", "true");
      this.timer = setInterval(() => { if (this.at >= this.length) this.stop(); else this.go(this.at + 1); }, this.pause);
    }
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.element.querySelector("[data-go=run]").setAttribute("aria-pressed", "false");
  }

  /** True if the key meant something here. */
  key(event) {
    if (!this.game || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return false;
    const what = { ArrowRight: "on", ArrowLeft: "back", Home: "start", End: "end", " ": "run", n: "worse" }[event.key];
    const far = { PageDown: 100, PageUp: -100, ArrowDown: 10, ArrowUp: -10 }[event.key];
    if (what === undefined && far === undefined) return false;
    if (event.key === " " && event.target.matches?.("button")) return false;
    event.preventDefault();
    if (what) this.act(what); else { this.stop(); this.go(this.at + far); }
    return true;
  }
}
