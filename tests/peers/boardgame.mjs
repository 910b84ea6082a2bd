// How many moves a second boardgame.io makes of a game that hardly has rules: `script/measure peers` runs this.
// argument 1: the folder in which the peers are installed; 2: how many campaigns. Prints JSON: moves a second of processor
// time in one bare client, and among six clients of one table with boardgame.io's own master, as a game is hosted.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const require = createRequire(join(resolve(process.argv[2]), "/"));
const { Client } = require("boardgame.io/client");
const { Local } = require("boardgame.io/multiplayer");
const campaigns = Number(process.argv[3]);
const MOVES = 216;
const SLOT = 6;
const SEATS = ["0", "1", "2", "3", "4", "5"];

const game = {
  setup: () => ({ gold: Object.fromEntries(SEATS.map((seat) => [seat, 10])), built: [] }),
  moves: {
    build: ({ G, playerID, random }, price) => {
      G.gold[playerID] -= price;
      G.built.push(playerID);
      if (G.gold[playerID] < 1) G.gold[playerID] += random.D6();
    },
  },
  turn: { minMoves: 1, maxMoves: SLOT },
};

const soon = () => new Promise((done) => setImmediate(done));

function alone() {
  const client = Client({ game, numPlayers: SEATS.length, debug: false });
  for (let n = 0; n < MOVES; n++) client.moves.build(1);
  return client.getState().G.built.length;
}

async function hosted(match) {
  const table = Local();
  const clients = SEATS.map((playerID) =>
    Client({ game, numPlayers: SEATS.length, playerID, matchID: `${match}`, multiplayer: table, debug: false }),
  );
  clients.forEach((client) => client.start());
  await soon();
  for (let n = 0; n < MOVES; n++) {
    clients[Math.floor(n / SLOT) % SEATS.length].moves.build(1);
    if (n % SLOT === SLOT - 1) await soon();
  }
  const count = clients[0].getState().G.built.length;
  clients.forEach((client) => client.stop());
  return count;
}

async function rate(play) {
  await play("warm");
  const start = process.cpuUsage();
  let moves = 0;
  for (let n = 0; n < campaigns; n++) moves += await play(n);
  const used = process.cpuUsage(start);
  return Math.round(moves / ((used.user + used.system) / 1e6));
}

console.log(JSON.stringify({ alone: await rate(alone), hosted: await rate(hosted) }));
