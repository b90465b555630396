// boardgame.io's server as its documentation starts it, with its file storage: node server.js PORT FOLDER
const { Server, FlatFile, Origins } = require('boardgame.io/server');
const lama = require('./lama');

const [port, dir] = process.argv.slice(2);
const game = process.env.PEER_DELTA ? { ...lama, deltaState: true } : lama;
Server({ games: [game], origins: [Origins.LOCALHOST], db: new FlatFile({ dir }) }).run(Number(port));
