/**
 * An app whose page is the response of its database. Each request opens a new connection to `DATABASE_URL` and
 * authenticates with the password (RFC 5802). The program runs with `node -e`, so it needs no separate image.
 */
const { createHash, createHmac, pbkdf2Sync, randomBytes } = require('node:crypto');
const { createServer } = require('node:http');
const { connect } = require('node:net');

const { DATABASE_URL, DATABASE_USER = '', PORT } = process.env;
const at = new URL(DATABASE_URL);
const sha = (data) => createHash('sha256').update(data).digest();
const mac = (key, data) => createHmac('sha256', key).update(data).digest();

function message(type, body) {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

function finalOf(password, first, server) {
  const { r, s, i } = Object.fromEntries(server.split(',').map((part) => [part[0], part.slice(2)]));
  const salted = pbkdf2Sync(password, Buffer.from(s, 'base64'), Number(i), 32, 'sha256');
  const key = mac(salted, 'Client Key');
  const without = `c=biws,r=${r}`;
  const signature = mac(sha(key), `${first},${server},${without}`);
  return `${without},p=${Buffer.from(key.map((byte, n) => byte ^ signature[n])).toString('base64')}`;
}

function ask(words) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const socket = connect(Number(at.port), at.hostname);
  const first = `n=,r=${randomBytes(18).toString('base64')}`;
  let kept = Buffer.alloc(0);
  let answer = '';
  let asked = false;
  const say = {
    R(body) {
      const code = body.readInt32BE(0);
      if (code === 10) {
        const text = Buffer.from(`n,,${first}`);
        const length = Buffer.alloc(4);
        length.writeInt32BE(text.length);
        socket.write(message('p', Buffer.concat([Buffer.from('SCRAM-SHA-256\0'), length, text])));
      }
      const final = () => finalOf(decodeURIComponent(at.password), first, body.toString('utf8', 4));
      if (code === 11) socket.write(message('p', Buffer.from(final())));
    },
    Z() {
      if (!asked) socket.write(message('Q', Buffer.from(`${words}\0`)));
      else socket.end(message('X', Buffer.alloc(0)), () => resolve(answer));
      asked = true;
    },
    D(body) {
      answer = body.toString('utf8', 6);
    },
    E(body) {
      reject(new Error(body.toString('utf8').replaceAll('\0', ' ')));
      socket.destroy();
    },
  };
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the database closed the connection')));
  socket.on('connect', () => {
    const user = decodeURIComponent(at.username);
    const body = Buffer.from(`\0\x03\0\0user\0${user}\0database\0${at.pathname.slice(1)}\0\0`);
    socket.write(message('', body));
  });
  socket.on('data', (chunk) => {
    kept = Buffer.concat([kept, chunk]);
    while (kept.length >= 5 && kept.length > kept.readInt32BE(1)) {
      const length = kept.readInt32BE(1) + 1;
      say[String.fromCharCode(kept[0])]?.(kept.subarray(5, length));
      kept = kept.subarray(length);
    }
  });
  return promise;
}

const server = createServer((_request, response) => {
  ask('SELECT session_user').then(
    (user) => response.end(JSON.stringify({ user, expected: DATABASE_USER })),
    (error) => response.writeHead(500).end(error.message),
  );
});
server.listen(Number(PORT ?? 8080));
// Requests in progress are completed.
process.on('SIGTERM', () => server.close(() => process.exit(0)));
