"use strict";
// Games are kept as moves (U D L R) and cells drawn (one hexadecimal digit each); every board follows from them.
const games = JSON.parse(document.getElementById("games").textContent);

function place(direction, line, k) {
    return { U: 4 * k + line, D: 4 * (3 - k) + line, L: 4 * line + k, R: 4 * line + 3 - k }[direction];
}

function shift(board, direction) {
    const after = new Array(16).fill(0);
    for (let line = 0; line < 4; line++) {
        let free = 0, combinable = false;
        for (let k = 0; k < 4; k++) {
            const tile = board[place(direction, line, k)];
            if (!tile) continue;
            if (combinable && after[place(direction, line, free - 1)] === tile) {
                after[place(direction, line, free - 1)] = 2 * tile;
                combinable = false;
            } else {
                after[place(direction, line, free++)] = tile;
                combinable = true;
            }
        }
    }
    return after;
}

function boardsOf(game) {
    let board = new Array(16).fill(0);
    const boards = [];
    for (let at = 0; at < game.cells.length; at++) {
        const cell = parseInt(game.cells[at], 16);
        board = board.slice();
        board[cell] = 2;
        boards.push({ board, cell, move: at ? game.moves[at - 1] : "" });
        if (at >= game.moves.length) break;
        board = shift(board, game.moves[at]);
    }
    if (game.moves.length >= game.cells.length) boards.push({ board, cell: -1, move: game.moves[game.moves.length - 1] });
    return boards;
}

const names = { U: "up", D: "down", L: "left", R: "right" };

function colour(tile) {
    const step = Math.log2(tile);
    return tile ? `hsl(${Math.max(0, 38 - 3.2 * step)} ${Math.min(90, 30 + 6 * step)}% ${Math.max(34, 88 - 4 * step)}%)` : "";
}

function start(box) {
    const game = games[box.dataset.student][box.dataset.game];
    const boards = boardsOf(game);
    const last = boards.length - 1;
    let at = 0, timer = null;
    const make = (tag, parent, text) => {
        const element = document.createElement(tag);
        if (text) element.textContent = text;
        parent.append(element);
        return element;
    };
    box.textContent = "";
    const title = make("div", box);
    const grid = make("div", box);
    grid.className = "board";
    const cells = boards[0].board.map(() => make("div", grid));
    const slider = make("input", box);
    Object.assign(slider, { type: "range", min: 0, max: last, value: 0 });
    slider.setAttribute("aria-label", "step");
    const row = make("div", box);
    const show = (to) => {
        at = Math.min(last, Math.max(0, to));
        const { board, cell, move } = boards[at];
        board.forEach((tile, index) => {
            cells[index].textContent = tile || "";
            cells[index].style.background = colour(tile);
            cells[index].className = (tile > 4 ? "big " : "") + (index === cell ? "new" : "");
            cells[index].style.fontSize = tile > 9999 ? ".85rem" : "1.1rem";
        });
        slider.value = at;
        const sum = board.reduce((a, b) => a + b, 0);
        title.textContent = `Game ${+box.dataset.game + 1}, step ${at} of ${last}: ${move ? "moved " + names[move] + ", " : ""}sum ${sum}`;
    };
    const stop = () => { clearInterval(timer); timer = null; play.textContent = "Play"; };
    for (const [text, label, to] of [["|◀", "first", () => 0], ["◀", "back", () => at - 1], ["▶", "on", () => at + 1], ["▶|", "last", () => last]]) {
        const button = make("button", row, text);
        button.setAttribute("aria-label", label);
        button.onclick = () => { stop(); show(to()); };
    }
    const play = make("button", row, "Play");
    play.onclick = () => {
        if (timer) return stop();
        play.textContent = "Stop";
        timer = setInterval(() => (at >= last ? stop() : show(at + 1)), 120);
    };
    slider.oninput = () => { stop(); show(+slider.value); };
    show(box.dataset.end ? last : 0);
}

document.querySelectorAll("button.start").forEach((button) => {
    button.onclick = () => start(button.parentElement);
});
// A link to a student opens the student.
function open() {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) target.querySelectorAll("details.feedback").forEach((details) => { details.open = true; });
}
addEventListener("hashchange", open);
open();
