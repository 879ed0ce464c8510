/**
 * `node ready.mjs <data directory>`: prints the addresses of an instance that works. Exits with 1 if the instance does
 * not work yet. The installer runs this script with the runtime of the release.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

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

function setupToken() {
  try {
    return readFileSync(join(dataDir, 'setup-token'), 'utf8').trim();
  } catch {
    // The instance deletes the file when the first user exists.
    return '';
  }
}

try {
  const ready = await get('/readyz');
  const address = (await get('/healthz')).headers['davit-address'];
  if (ready.statusCode === 200) {
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
