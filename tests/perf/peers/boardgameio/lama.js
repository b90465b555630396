// L.A.M.A. as a game of boardgame.io, as its documentation writes games with secrets: `G.secret` and `G.players`, which
// `PlayerView.STRIP_SECRETS` keeps from the others. Rounds, scores and the end of the match are those of our rules.
const { PlayerView, INVALID_MOVE } = require('boardgame.io/core');

const CARDS = ['1', '2', '3', '4', '5', '6', 'llama'].flatMap((card) => Array(8).fill(card));
const AFTER = { 1: '2', 2: '3', 3: '4', 4: '5', 5: '6', 6: 'llama', llama: '1' };
const COST = { 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, llama: 10 };
const LIMIT = 40;

const playable = (top) => [top, AFTER[top]];
const seats = (ctx) => Array.from({ length: ctx.numPlayers }, (_, seat) => String(seat));
const active = (G, ctx) => seats(ctx).filter((seat) => !G.quit.includes(seat));
const points = (hand) => [...new Set(hand)].reduce((sum, card) => sum + COST[card], 0);

function deal(G, ctx, random) {
  const deck = random.Shuffle(CARDS);
  for (const seat of seats(ctx)) G.players[seat] = { hand: deck.splice(0, 6) };
  G.top = deck.shift();
  G.secret = { pile: deck };
  G.pileSize = deck.length;
  G.quit = [];
  G.held = seats(ctx).map(() => 6);
  G.round += 1;
}

function endRound(G, ctx, random, winner) {
  const hands = seats(ctx).map((seat) => [...G.players[seat].hand]);
  G.last = { round: G.round, hands, winner };
  hands.forEach((hand, seat) => { G.totals[seat] += points(hand); });
  // The winner gives back the most valuable chip.
  if (winner !== null) G.totals[winner] -= G.totals[winner] >= 10 ? 10 : Math.min(1, G.totals[winner]);
  if (Math.max(...G.totals) >= LIMIT) G.over = true;
  else deal(G, ctx, random);
}

function next(G, ctx, events) {
  const at = Number(ctx.playOrderPos);
  for (let step = 1; step <= ctx.numPlayers; step += 1) {
    const seat = String((at + step) % ctx.numPlayers);
    if (!G.quit.includes(seat)) return events.endTurn({ next: seat });
  }
}

module.exports = {
  name: 'lama',
  minPlayers: 2,
  maxPlayers: 6,
  playerView: PlayerView.STRIP_SECRETS,
  setup: ({ ctx, random }) => {
    const G = { secret: {}, players: {}, top: '', pileSize: 0, quit: [], held: [], totals: [], round: 0, last: null };
    G.totals = seats(ctx).map(() => 0);
    G.over = false;
    deal(G, ctx, random);
    return G;
  },
  // The client knows neither the pile nor the next deal, so every move is carried out on the server only.
  moves: {
    play: { client: false, move: ({ G, ctx, random, events, playerID }, card) => {
      const { hand } = G.players[playerID];
      if (!hand.includes(card) || !playable(G.top).includes(card)) return INVALID_MOVE;
      hand.splice(hand.indexOf(card), 1);
      G.held[playerID] -= 1;
      G.top = card;
      if (!hand.length) endRound(G, ctx, random, Number(playerID));
      next(G, ctx, events);
    } },
    draw: { client: false, move: ({ G, ctx, events, playerID }) => {
      if (!G.secret.pile.length || active(G, ctx).length < 2) return INVALID_MOVE;
      G.players[playerID].hand.push(G.secret.pile.shift());
      G.pileSize -= 1;
      G.held[playerID] += 1;
      next(G, ctx, events);
    } },
    quit: { client: false, move: ({ G, ctx, random, events, playerID }) => {
      G.quit.push(playerID);
      if (!active(G, ctx).length) endRound(G, ctx, random, null);
      next(G, ctx, events);
    } },
  },
  endIf: ({ G }) => (G.over ? { totals: [...G.totals] } : undefined),
};
