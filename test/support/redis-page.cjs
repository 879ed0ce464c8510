/** An app with one connection to Redis, on which each request sends a command. */
const { createServer } = require('node:http');
const { connect } = require('node:net');

const { hostname, port, username, password } = new URL(process.env.REDIS_URL);
const waiting = [];
let lost = null;
const connection = connect(Number(port), hostname);
connection.on('data', (data) => {
  for (const line of String(data).split('\r\n').filter(Boolean)) waiting.shift()?.(line);
});
connection.on('close', () => {
  lost = 'the connection was closed';
  for (const answer of waiting.splice(0)) answer(lost);
});
connection.on('error', () => undefined);

function ask(line) {
  if (lost !== null) return Promise.resolve(lost);
  return new Promise((resolve) => {
    waiting.push(resolve);
    connection.write(`${line}\r\n`);
  });
}

const signedIn = ask(`AUTH ${username || 'default'} ${decodeURIComponent(password)}`);
createServer(async (_request, response) => {
  await signedIn;
  const answer = await ask('PING');
  response.writeHead(answer === '+PONG' ? 200 : 500).end(answer);
}).listen(8080);
