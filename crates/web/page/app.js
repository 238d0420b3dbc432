"use strict";
// The page: what people press is asked of the engine over one socket, and what it tells is shown.

const by = (id) => document.getElementById(id);
const PAUSES = [2000, 1000, 500, 250, 120, 60, 30, 12, 0];
const view = new BoardView(by("board"));
const viewer = new Viewer(by("viewer"));
let socket;
let game = null;
let watching = null;
let asker = "play";
let lastLine = [];
let opened = null;

function ask(request) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
  else say("The program does not answer. Is it still running?");
}

function say(text) { by("status").textContent = text; }
function announce(text) { by("announce").textContent = text; }

function connect() {
  const url = new URL("socket", location.href);
  url.protocol = "ws:";
  socket = new WebSocket(url);
  socket.addEventListener("open", () => {
    say("");
    ask({ do: "resume", course: game?.course ?? (localStorage.getItem("course") || "estr1002") });
    if (by("hint").checked) ask({ do: "hint", on: true });
  });
  socket.addEventListener("message", (event) => hear(JSON.parse(event.data)));
  socket.addEventListener("close", () => {
    say("The program has ended or cannot be reached; this page tries again.");
    setTimeout(connect, 2000);
  });
}

function hear(answer) {
  switch (answer.is) {
    case "hello": hasClass(answer.class); break;
    case "game": showGame(answer); break;
    case "advice": (asker === "analyse" ? showValues("a-values", "a-note", answer) : showAdvice(answer)); break;
    case "survives": showSurvival(answer); break;
    case "line": showLine(answer.moves); break;
    case "chances": showChances(answer); break;
    case "analysed": by("halt").disabled = true; break;
    case "planned": showPlan(answer); break;
    case "watching": showWatching(answer.player); break;
    case "tape": viewer.show(answer); by("continue").disabled = !answer.playable; select("replay"); break;
    case "marks": viewer.mark(answer.marks); break;
    case "games": showGames(answer.titles); break;
    case "file": save(answer.name, answer.text); break;
    case "message": case "error": say(answer.text); break;
  }
}

function showGame(next) {
  const before = game;
  game = next;
  document.body.dataset.course = game.course;
  by("course").value = game.course;
  localStorage.setItem("course", game.course);
  by("score").value = grouped(game.score);
  by("best").value = grouped(game.best);
  by("moves").value = game.at === game.moves ? grouped(game.at) : `${grouped(game.at)} of ${grouped(game.moves)}`;
  by("this-seed").value = game.seed;
  by("undo").disabled = game.at === 0;
  by("redo").disabled = game.at === game.moves;
  by("save-board").hidden = !["psa3", "pa4"].includes(game.course);
  by("save-moves").hidden = !["psa3", "estr1002"].includes(game.course);
  by("sides").hidden = game.course === "estr1002";
  by("cols").hidden = game.course !== "pa4";
  const follows = game.moved && before && before.rows === game.rows && before.cols === game.cols && game.at === before.at + 1;
  if (follows) view.move(game.moved.direction, game.moved.placed, game.board);
  else view.set(game.board, game.rows, game.cols);
  by("helped").hidden = !game.helped;
  by("end").hidden = !game.over;
  by("end-text").textContent = game.won ? "You win!" : "Game over";
  if (!by("advice").hidden && !watching) by("values").parentElement.classList.add("old");
  if (watching && game.at % 25) return;
  const placed = game.moved?.placed;
  const where = placed ? `, new ${placed[1]} in row ${Math.floor(placed[0] / game.cols) + 1}, column ${placed[0] % game.cols + 1}` : "";
  const ending = game.over ? (game.won ? " You win." : " The game is over.") : "";
  announce(`${game.moved ? `${game.moved.direction}${where}. ` : `${inWords(game.board, game.cols)}. `}Score ${game.score}.${ending}`);
}

/** A row for each direction: name, value, and a bar for how near it is to the best. */
function showValues(table, note, advice) {
  const known = advice.values.filter((value) => value !== null);
  const [best, worst] = [Math.max(...known), Math.min(...known)];
  const rows = DIRECTIONS.map((direction, number) => {
    const value = advice.values[number];
    const row = document.createElement("tr");
    if (direction === advice.best) row.className = "best";
    const cells = [0, 1, 2].map(() => row.insertCell());
    cells[0].textContent = `${ARROWS[direction]} ${direction}`;
    cells[1].textContent = value === null ? "no change" : value.toFixed(1);
    if (value !== null) {
      const bar = document.createElement("span");
      bar.className = "bar";
      bar.style.width = `${best === worst ? 100 : 15 + 85 * (value - worst) / (best - worst)}%`;
      cells[2].append(bar);
    }
    return row;
  });
  by(table).replaceChildren(...rows);
  const unit = advice.unit === "moves" ? "expected further moves" : "points of a simple player for boards the network does not know";
  const passing = advice.passing === null ? "" : ` Passes the next fill of the board with a chance of ${(100 * advice.passing).toFixed(2)} % under best play, exactly.`;
  by(note).textContent = `In ${unit}; ${advice.depth} moves deep.${passing}`;
  by(note).dataset.base = by(note).textContent;
}

function showAdvice(advice) {
  if (!by("hint").checked) return;
  by("advice").hidden = false;
  showValues("values", "advice-note", advice);
}

function showSurvival(survives) {
  const note = by(asker === "analyse" ? "a-note" : "advice-note");
  const moves = `${survives.moves} move${survives.moves === 1 ? "" : "s"}`;
  note.textContent = `${note.dataset.base ?? ""} Survives ${survives.exact ? "exactly" : "at least"} ${moves} whatever cells are drawn.`;
}

function showLine(moves) {
  lastLine = moves;
  by("line").textContent = moves.map(([direction, cell]) => `${ARROWS[direction]}(${Math.floor(cell / 4) + 1},${cell % 4 + 1})`).join(" ");
  by("play-line").disabled = moves.length === 0;
}

function showChances(chances) {
  const rows = [["32768", chances.reached_32768], ["65536", chances.reached_65536], ["131070, the highest score", chances.reached_131070]].map(([name, reached]) => {
    const row = document.createElement("tr");
    row.insertCell().textContent = name;
    const [low, high] = interval(reached, chances.games);
    row.insertCell().textContent = `${(100 * reached / chances.games).toFixed(1)} % (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})`;
    return row;
  });
  by("chances").replaceChildren(...rows);
  by("chances-note").textContent = `Of ${chances.games} games played to their end from here, by the network without looking ahead; mean score ${grouped(Math.round(chances.mean))}. Intervals of 95 %.`;
}

/** Wilson's interval of 95 %. */
function interval(hits, all) {
  const z = 1.96, p = hits / all, n = all;
  const middle = p + z * z / (2 * n), spread = z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)), scale = 1 + z * z / n;
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}

function showPlan(planned) {
  by("plan").hidden = false;
  by("plan").textContent = planned.finished
    ? `A plan of ${grouped(planned.moves)} moves up to ${grouped(planned.sum)}.`
    : `Planning the whole game: ${grouped(planned.sum)} of ${grouped(131070)}, ${planned.dead_ends} dead ends.`;
}

function showWatching(player) {
  watching = player;
  for (const name of ["fair", "clairvoyant"]) by(name).setAttribute("aria-pressed", String(player === name));
  by("board").classList.toggle("still", player !== null && pause() < 100);
  if (player !== "clairvoyant") by("plan").hidden = true;
}

function hasClass(there) {
  by("no-class").hidden = there;
  by("of-class").hidden = !there;
}

function showGames(titles) {
  const list = asker === "class" ? by("class-list") : by("games");
  list.replaceChildren(...titles.map((title, number) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = title;
    button.addEventListener("click", () => ask({ do: "look", game: number }));
    item.append(button);
    return item;
  }));
  list.hidden = false;
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`Saved as ${name}.`);
}

const pause = () => PAUSES[Number(by("speed").value)];

function watch(player) {
  if (watching === player) ask({ do: "stop" });
  else ask({ do: "watch", player, pause: pause() });
}

function select(name) {
  if (asker === "analyse" && name !== "analyse") ask({ do: "stop" });
  asker = name;
  for (const tab of ["play", "replay", "analyse", "class"]) {
    by(tab).hidden = tab !== name;
    by(`tab-${tab}`).setAttribute("aria-selected", String(tab === name));
    by(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
  }
  if (name !== "replay") viewer.stop();
  // Loaded when it is wanted: a class's page has megabytes.
  if (name === "class" && !by("of-class").hidden && !by("class-page").src) by("class-page").src = "class/index.html";
  view.scale();
  editor.scale();
}

function move(direction) { ask({ do: "move", direction }); }

// What is pressed.
for (const tab of ["play", "replay", "analyse", "class"]) by(`tab-${tab}`).addEventListener("click", () => select(tab));
by("course").addEventListener("change", (event) => { ask({ do: "resume", course: event.target.value }); event.target.blur(); });
by("undo").addEventListener("click", () => ask({ do: "undo" }));
by("redo").addEventListener("click", () => ask({ do: "redo" }));
const begin = () => game && ask({ do: "start", course: game.course, rows: game.rows, cols: game.cols });
by("new").addEventListener("click", begin);
by("end-new").addEventListener("click", begin);
by("end-undo").addEventListener("click", () => ask({ do: "undo" }));
by("fair").addEventListener("click", () => watch("fair"));
by("clairvoyant").addEventListener("click", () => watch("clairvoyant"));
by("step").addEventListener("click", () => ask({ do: "watch", player: "fair", pause: 0, once: true }));
const showSpeed = () => {
  by("speed-text").value = pause() === 0 ? "as fast as it can" : pause() >= 1000 ? `${pause() / 1000} s a move` : `${Math.round(1000 / pause())} moves a second`;
};
by("speed").addEventListener("input", () => {
  showSpeed();
  by("board").classList.toggle("still", watching !== null && pause() < 100);
  if (watching) ask({ do: "watch", player: watching, pause: pause() });
});
by("hint").addEventListener("change", (event) => {
  ask({ do: "hint", on: event.target.checked });
  by("advice").hidden = true;
});
by("start").addEventListener("submit", (event) => {
  event.preventDefault();
  const rows = game.course === "estr1002" ? 4 : Number(by("rows").value);
  const cols = game.course === "pa4" ? Number(by("cols").value) : rows;
  const text = by("seed").value.trim();
  const seed = text === "" ? undefined : Number(text);
  if (seed !== undefined && !Number.isSafeInteger(seed)) { say("A seed is a whole number."); return; }
  ask({ do: "start", course: game.course, rows, cols, seed });
});
by("save-session").addEventListener("click", () => ask({ do: "file", kind: "session" }));
by("save-moves").addEventListener("click", () => ask({ do: "file", kind: "moves" }));
by("save-board").addEventListener("click", () => ask({ do: "file", kind: "board" }));
by("save-page").addEventListener("click", () => ask({ do: "file", kind: "page" }));
by("review").addEventListener("click", () => ask({ do: "review" }));
by("continue").addEventListener("click", () => { ask({ do: "continue", at: viewer.at }); select("play"); });
by("open").addEventListener("change", async (event) => {
  opened = event.target.files[0];
  if (opened) ask({ do: "open", text: await opened.text() });
  event.target.value = "";
});
by("class-games").addEventListener("click", () => ask({ do: "class" }));
onSwipe(by("board"), move);

const OWN_KEYS = { comp1020: { i: "up", j: "left", k: "down", l: "right" }, estr1002: { U: "up", D: "down", L: "left", R: "right" } };
const KEYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", w: "up", a: "left", s: "down", d: "right", k: "up", h: "left", j: "down", l: "right" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=checkbox]):not([type=range]), select, textarea")) return;
  if (event.target.matches("input[type=range]") && event.key.startsWith("Arrow")) return;
  if (event.target.matches("[role=tab]") && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    const tabs = ["play", "replay", "analyse", "class"];
    const next = tabs[(tabs.indexOf(asker) + (event.key === "ArrowRight" ? 1 : 3)) % 4];
    select(next);
    by(`tab-${next}`).focus();
    return;
  }
  if (asker === "replay") { viewer.key(event); return; }
  if (asker !== "play" || !game) return;
  const direction = OWN_KEYS[game.course]?.[event.key] ?? KEYS[event.key];
  if (direction) { event.preventDefault(); move(direction); return; }
  const pressed = event.target.matches("button, summary, input") && (event.key === " " || event.key === "Enter");
  const act = {
    u: () => ask({ do: "undo" }), z: () => ask({ do: "undo" }), Backspace: () => ask({ do: "undo" }), r: () => ask({ do: "redo" }),
    n: begin, i: () => by("hint").click(), A: () => watch("fair"), c: () => watch("clairvoyant"),
    " ": () => watching ? ask({ do: "stop" }) : ask({ do: "watch", player: "fair", pause: 0, once: true }),
  }[event.key];
  if (act && !pressed) { event.preventDefault(); act(); }
});

// The board that is set up by clicking.
const editor = new (class {
  constructor(element) {
    this.element = element;
    this.view = new BoardView(element);
    this.cells = new Array(16).fill(0);
    this.view.layOut(4, 4);
    element.setAttribute("role", "grid");
    element.setAttribute("aria-label", "Board to analyse");
    element.replaceChildren(...this.cells.map((_, cell) => this.button(cell)));
    element.addEventListener("contextmenu", (event) => event.preventDefault());
    this.draw();
  }

  button(cell) {
    const button = document.createElement("button");
    this.view.place(button, cell);
    button.addEventListener("click", (event) => this.change(cell, event.shiftKey ? -1 : 1));
    button.addEventListener("auxclick", (event) => { if (event.button === 2) this.change(cell, -1); });
    button.addEventListener("keydown", (event) => {
      const to = { ArrowUp: cell - 4, ArrowDown: cell + 4, ArrowLeft: cell - 1, ArrowRight: cell + 1 }[event.key];
      if (to !== undefined) { this.element.children[(to + 16) % 16].focus(); event.preventDefault(); }
      if (event.key === "+" || event.key === "=") this.change(cell, 1);
      if (event.key === "-") this.change(cell, -1);
      if (event.key === "0" || event.key === "Delete") { this.cells[cell] = 0; this.draw(); }
    });
    return button;
  }

  /** Empty, 2, 4, ... 65536, and round again. */
  change(cell, by) {
    const power = this.cells[cell] ? Math.log2(this.cells[cell]) : 0;
    const next = (power + by + 17) % 17;
    this.cells[cell] = next ? 2 ** next : 0;
    this.draw();
  }

  set(cells) { this.cells = [...cells]; this.draw(); }

  draw() {
    this.cells.forEach((tile, cell) => {
      const button = this.element.children[cell];
      button.className = `cell ${tile ? look(tile) : ""}`;
      button.textContent = tile || "";
      button.setAttribute("aria-label", `row ${Math.floor(cell / 4) + 1}, column ${cell % 4 + 1}: ${tile || "empty"}`);
    });
    this.view.scale();
  }

  scale() { this.view.scale(); }
})(by("editor"));

by("take").addEventListener("click", () => {
  if (game && game.board.length === 16) editor.set(game.board);
  else say("Only boards of 4 × 4 can be analysed.");
});
by("clear").addEventListener("click", () => editor.set(new Array(16).fill(0)));
by("run").addEventListener("click", () => {
  say("");
  by("chances").replaceChildren();
  by("a-values").replaceChildren();
  by("line").textContent = by("chances-note").textContent = "";
  by("halt").disabled = false;
  ask({ do: "analyse", board: editor.cells });
});
by("halt").addEventListener("click", () => { ask({ do: "stop" }); by("halt").disabled = true; });
by("play-line").addEventListener("click", async () => {
  by("play-line").disabled = true;
  for (const [direction, cell] of lastLine) {
    const { after } = slide(editor.cells, 4, 4, direction);
    after[cell] = 2;
    editor.set(after);
    await new Promise((done) => setTimeout(done, 500));
  }
});

showSpeed();
select("play");
connect();
