/**
 * The lower bound of an installation: the calls of the Engine API for the same network, volume and containers, one
 * after another. Nothing is checked, recorded, routed, named or stored.
 */
import { generateKeyPairSync } from 'node:crypto';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerInspectInfo } from 'dockerode';
import { pack } from 'tar-stream';
import { issueCertificate, newAuthority } from '../../packages/daemon/src/auth/issue-certificate.ts';
import type { DatabaseCommand, DatabaseFacts } from '../../packages/daemon/src/resources/databases/dialects/dialect.ts';
import { postgres } from '../../packages/daemon/src/resources/databases/dialects/postgres.ts';
import { newDatabasePassword } from '../../packages/daemon/src/resources/databases/secrets.ts';
import type { BareEngine } from './bare-engine.ts';

/** Subnet outside the range from which an instance assigns its networks. */
const SUBNET = '10.199.77';
const ADDRESSES = { gateway: `${SUBNET}.1`, database: `${SUBNET}.10`, firstApp: 11 };
const NETWORK = { subnet: `${SUBNET}.0/24`, gateway: ADDRESSES.gateway, isExposed: false };
const SET_UP = '/etc/davit/set-up.sql';
const POLL_MS = 5;

/** Objects that Davit created, which are created again directly. */
export interface InstallRecipe {
  database: ContainerInspectInfo;
  apps: ContainerInspectInfo[];
  /** Port on which the apps listen. */
  port: number;
}

/**
 * Creates and starts everything, and then removes it.
 * @returns milliseconds until the last app answers, and of each call or wait
 */
export async function bareInstall(bare: BareEngine, name: string, recipe: InstallRecipe) {
  const laps: Record<string, number> = {};
  const containers: string[] = [];
  let last = performance.now();
  const from = last;
  const lap = (what: string) => {
    laps[what] = performance.now() - last;
    last = performance.now();
  };
  try {
    await bare.call('POST', '/networks/create', networkRequest(name));
    lap('network');
    await bare.call('POST', '/volumes/create', { Name: name, Driver: 'local', Labels: { 'bench.kind': 'volume' } });
    lap('volume');
    const facts = await factsOf(name);
    const id = await bare.create(`${name}-db`, requestIn(bare, recipe.database, name, ADDRESSES.database));
    containers.push(id);
    await bare.call('PUT', `/containers/${id}/archive?path=/`, await filesOf(facts));
    await bare.call('POST', `/containers/${id}/start`);
    lap('database');
    while (!(await listens(ADDRESSES.database, postgres.port))) await delay(POLL_MS);
    lap('ready');
    const { command, user } = setUpCommand(facts);
    while ((await bare.execute(id, { command: [...command, '-f', SET_UP], user })) !== 0) await delay(POLL_MS);
    lap('set-up');
    for (const [at, app] of recipe.apps.entries()) {
      const address = `${SUBNET}.${ADDRESSES.firstApp + at}`;
      const made = await bare.run(`${name}-app${at}`, requestIn(bare, app, name, address), address, recipe.port);
      containers.push(made.id);
      lap(`app ${at + 1}`);
    }
    return { ms: performance.now() - from, laps };
  } finally {
    for (const id of containers) await bare.remove(id);
    await bare.call('DELETE', `/volumes/${name}`);
    await bare.call('DELETE', `/networks/${name}`);
  }
}

function networkRequest(name: string): object {
  const ranges = { Subnet: `${SUBNET}.0/24`, Gateway: ADDRESSES.gateway, IPRange: `${SUBNET}.240/28` };
  return { Name: name, CheckDuplicate: true, Driver: 'bridge', IPAM: { Config: [ranges] } };
}

/** Returns a request for the same container on another network and with another volume. */
function requestIn(bare: BareEngine, like: ContainerInspectInfo, name: string, address: string): object {
  const { HostConfig, ...request } = bare.requestLike(like, address);
  const { ShmSize, Mounts } = like.HostConfig as { ShmSize?: number; Mounts?: { Type: string; Target: string }[] };
  const mounts = (Mounts ?? []).map(({ Target }) => ({ Type: 'volume', Source: name, Target }));
  return {
    ...request,
    Cmd: like.Config.Cmd,
    HostConfig: { ...HostConfig, NetworkMode: name, ShmSize, Mounts: mounts },
    NetworkingConfig: { EndpointsConfig: { [name]: { IPAMConfig: { IPv4Address: address } } } },
  };
}

async function factsOf(name: string): Promise<DatabaseFacts> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const authority = await newAuthority('bench', Date.now());
  const tls = { key, ...(await issueCertificate(authority, key, [name], Date.now())) };
  const login = { username: 'book', password: newDatabasePassword() };
  return {
    login,
    otherLogins: [],
    adminPassword: newDatabasePassword(),
    database: 'book',
    extensions: [],
    tls,
    allowConfig: false,
    // The image of this benchmark needs no access rule to fill its data folder.
    isFilled: true,
  };
}

/** Returns the command that creates the login and the database. The commands before it only change access rules. */
function setUpCommand(facts: DatabaseFacts): DatabaseCommand {
  let command = postgres.setUp(facts);
  for (let next = command.followUp?.(''); next != null; next = command.followUp?.('')) command = next;
  return command;
}

async function filesOf(facts: DatabaseFacts): Promise<Buffer> {
  const archive = pack();
  for (const { path, bytes, mode, uid = 0, gid = 0 } of postgres.serve(facts, NETWORK).files)
    archive.entry({ name: path.slice(1), mode, uid, gid }, Buffer.from(bytes));
  archive.entry({ name: SET_UP.slice(1), mode: 0o444 }, setUpCommand(facts).stdin);
  archive.finalize();
  return buffer(archive);
}

/** Returns whether a program accepts connections at an address. */
function listens(host: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host, port, timeout: 1_000 });
  const end = (isListening: boolean) => () => {
    socket.destroy();
    resolve(isListening);
  };
  socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
  return promise;
}
