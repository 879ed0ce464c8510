/**
 * `node ready.mjs <data directory>`: prints the addresses of an instance that works. Exits with 1 if the instance does
 * not work yet. The installer runs this script with the runtime of the release.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

/** Text that a terminal shows as it is. The user of the daemon can change all files of the data directory. */
const TOKEN = /^[!-~]{1,256}$/;
const ADDRESS = /^https?:\/\/[\w.:%[\]-]+$/;
/** More bytes than a token and its line end have. */
const READ_BYTES = 512;

const [dataDir] = process.argv.slice(2);
const say = (text) => process.stdout.write(`${text}\n`);

/** Sends a request to the socket of the instance. @returns {Promise<import('node:http').IncomingMessage>} */
function get(path) {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: join(dataDir, 'davit.sock'), path, timeout: 5_000 }, resolve);
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Returns the setup token, or an empty text if there is none. Does not follow a link, and does not wait for a pipe. */
function setupToken() {
  let file;
  try {
    file = openSync(join(dataDir, 'setup-token'), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // The instance deletes the file when the first user exists.
    return '';
  }
  try {
    if (!fstatSync(file).isFile()) return '';
    const buffer = Buffer.alloc(READ_BYTES);
    const text = buffer.toString('latin1', 0, readSync(file, buffer)).trim();
    return TOKEN.test(text) ? text : '';
  } finally {
    closeSync(file);
  }
}

try {
  const ready = await get('/readyz');
  const address = (await get('/healthz')).headers['davit-address'];
  if (ready.statusCode === 200 && ADDRESS.test(address)) {
    const token = setupToken();
    const claim = token === '' ? '' : `/claim#token=${encodeURIComponent(token)}`;
    say(`✓ Davit runs\n\n  Dashboard     ${address}${claim}`);
    if (token !== '') say(`  Setup token   ${token}`);
    say(`  Command line  davit login ${address}\n`);
  } else process.exitCode = 1;
} catch {
  process.exitCode = 1;
}
process.exit();
