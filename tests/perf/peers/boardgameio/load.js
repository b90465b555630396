// Plays on a server of boardgame.io over socket.io, sending what its own client sends, and prints what it saw as JSON.
//
//   node load.js flat PORT CLIENTS SECONDS PID   moves in a closed loop; what the server's process used
//   node load.js kill PORT CLIENTS               the same until the server is gone; what was acknowledged
//   node load.js look PORT < matches             which states these matches are in
//   node load.js sent PORT MATCHES               whole matches, looked at from one player's socket
const fs = require('fs');
const { performance } = require('perf_hooks');
const { applyPatch } = require('rfc6902');
const { io } = require('socket.io-client');
const { Client } = require('boardgame.io/client');
const lama = require('./lama');

const [mode, port, ...rest] = process.argv.slice(2);
const server = `http://127.0.0.1:${port}`;
const AFTER = { 1: '2', 2: '3', 3: '4', 4: '5', 5: '6', 6: 'llama', llama: '1' };

async function post(path, body) {
  const answer = await fetch(`${server}${path}`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

class Seat {
  constructor(table, id, credentials) {
    this.table = table;
    this.id = id;
    this.credentials = credentials;
    this.messages = [];
    this.waiting = null;
    this.socket = io(`${server}/lama`, { transports: ['websocket'], reconnection: false, forceNew: true });
    this.socket.on('update', (match, state, log) => this.told('update', state, log));
    this.socket.on('patch', (match, before, after, patch, log) => {
      applyPatch(this.state, patch);
      this.told('patch', this.state, [patch, log]);
    });
    this.socket.on('sync', (match, info) => this.told('sync', info.state, info));
    this.socket.on('disconnect', () => this.waiting && this.waiting(null));
  }

  told(kind, state, more) {
    if (this.onTold) this.onTold(kind, state, more);
    this.state = state;
    if (this.waiting) this.waiting(state);
  }

  answer() {
    return new Promise((resolve) => { this.waiting = (state) => { this.waiting = null; resolve(state); }; });
  }

  sync() {
    const answered = this.answer();
    this.socket.emit('sync', this.table.match, this.id, this.credentials, 2);
    return answered;
  }

  // What SocketIOTransport.sendAction sends for a move.
  send(type, args, playerID, credentials) {
    const action = { type: 'MAKE_MOVE', payload: { type, args, playerID, credentials } };
    this.socket.emit('update', action, this.state._stateID, this.table.match, playerID);
  }
}

class Table {
  async open() {
    this.match = (await post('/games/lama/create', { numPlayers: 2 })).matchID;
    this.credentials = [];
    for (const playerID of ['0', '1']) {
      const joined = await post(`/games/lama/${this.match}/join`, { playerID, playerName: `player ${playerID}` });
      this.credentials.push(joined.playerCredentials);
    }
    if (this.seat) this.seat.socket.close();
    this.seat = new Seat(this, '0', this.credentials[0]);
    await this.seat.sync();
    return this;
  }

  get over() { return this.seat.state.ctx.gameover !== undefined; }

  // One connection plays for both, as one connection does at the other services; both draw, then both quit.
  async move() {
    const { G, ctx } = this.seat.state;
    const answered = this.seat.answer();
    const type = G.pileSize > 0 && !G.quit.length ? 'draw' : 'quit';
    this.seat.send(type, [], ctx.currentPlayer, this.credentials[Number(ctx.currentPlayer)]);
    return answered;
  }
}

const tables = (count) => Promise.all(Array.from({ length: count }, () => new Table().open()));

function used(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').pop().split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function flat(clients, seconds, pid) {
  const playing = await tables(clients);
  const times = [];
  const before = used(pid);
  const own = process.cpuUsage();
  const start = performance.now();
  await Promise.all(playing.map(async (table) => {
    while (performance.now() - start < seconds * 1000) {
      const begun = performance.now();
      await table.move();
      times.push((performance.now() - begun) / 1000);
      if (table.over) await table.open();
    }
  }));
  const took = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(own);
  return { times, seconds: took, server: used(pid) - before, clients: (user + system) / 1e6 };
}

async function kill(clients) {
  const acknowledged = {};
  const playing = await tables(clients);
  console.log('"playing"');
  await Promise.all(playing.map(async (table) => {
    try {
      for (;;) {
        const state = await table.move();
        if (!state) return;
        (acknowledged[table.match] ||= []).push(state._stateID);
        if (table.over) await table.open();
      }
    } catch (error) { /* the server is gone */ }
  }));
  return acknowledged;
}

async function look(matches) {
  const stored = {};
  for (const match of matches) {
    const seat = new Seat({ match }, null, undefined);
    const state = await Promise.race([seat.sync(), new Promise((resolve) => { setTimeout(resolve, 3000, null); })]);
    stored[match] = state ? state._stateID : -1;
    seat.socket.close();
    if (!state) break; // a file that is no JSON any more ends the server
  }
  return stored;
}

// Cards that a player may not know, anywhere in what they are sent: another's hand, or the pile.
function hidden(told, me) {
  if (told === null || typeof told !== 'object') return 0;
  return Object.entries(told).reduce((sum, [key, value]) => {
    if (key === '_undo') return sum; // the same position once more
    if (key === 'pile' && Array.isArray(value)) return sum + value.length;
    if (key === 'players' && value) {
      const others = Object.entries(value).filter(([seat]) => seat !== me);
      return sum + others.reduce((count, [, player]) => count + (player.hand || []).length, 0);
    }
    return sum + hidden(value, me);
  }, 0);
}

// The seed of a match is the instant at which it was made, in milliseconds, and the lobby tells that to everybody.
async function guessed(table) {
  const { createdAt } = await (await fetch(`${server}/games/lama/${table.match}`)).json();
  const mine = JSON.stringify(table.first[0]);
  for (let step = -200; step <= 200; step += 1) {
    const seed = (createdAt + step).toString(36).slice(-10);
    const { G } = Client({ game: { ...lama, seed }, numPlayers: 2 }).getInitialState();
    if (JSON.stringify(G.players[0].hand) === mine) return JSON.stringify(G.players[1].hand) === JSON.stringify(table.first[1]);
  }
  return false;
}

async function sent(matches) {
  const seen = { bytes: 0, moves: 0, matches, sync: 0, update: 0, patch: 0, guessed: 0 };
  for (let number = 0; number < matches; number += 1) {
    const table = await new Table().open();
    table.seat.socket.close();
    const seats = table.credentials.map((credentials, id) => new Seat(table, String(id), credentials));
    seats[0].onTold = (kind, state, more) => { seen[kind] += hidden([state, more], '0'); };
    for (const seat of seats) await seat.sync();
    table.first = seats.map((seat) => [...seat.state.G.players[seat.id].hand]);
    if (await guessed(table)) seen.guessed += 1;
    while (seats[0].state.ctx.gameover === undefined) {
      const { ctx } = seats[0].state;
      const seat = seats[Number(ctx.currentPlayer)];
      const { G } = seat.state;
      const card = G.players[seat.id].hand.find((held) => held === G.top || held === AFTER[G.top]);
      const answered = Promise.all(seats.map((one) => one.answer()));
      if (card !== undefined) seat.send('play', [card], seat.id, seat.credentials);
      else seat.send(G.pileSize > 0 && !G.quit.length ? 'draw' : 'quit', [], seat.id, seat.credentials);
      await answered;
      seen.moves += 1;
    }
    seen.bytes += seats[0].socket.io.engine.transport.ws._socket.bytesRead;
    seats.forEach((seat) => seat.socket.close());
  }
  return seen;
}

async function main() {
  if (mode === 'flat') return flat(Number(rest[0]), Number(rest[1]), Number(rest[2]));
  if (mode === 'kill') return kill(Number(rest[0]));
  if (mode === 'look') return look(JSON.parse(fs.readFileSync(0, 'utf8')));
  return sent(Number(rest[0]));
}

main().then((told) => { console.log(JSON.stringify(told)); process.exit(0); });
