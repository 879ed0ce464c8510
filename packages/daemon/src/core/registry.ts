/** The credentials that images of other registries are pulled with. A password is sealed and never answered. */
import { DavitError, type Registry, type RegistryCreate, type RegistryPatch, timestamp } from '@davit/api';
import type { OpContext } from '../context.ts';
import { EngineRefused } from '../engine/errors.ts';
import type { RegistryAuth } from '../engine/image.ts';
import { openPassword, passwordPlace } from '../release/registry.ts';
import { sentence } from '../release/sentence.ts';
import { unsealed } from '../release/unsealed.ts';
import {
  changeRegistry,
  deleteRegistry,
  insertRegistry,
  listRegistries as listRows,
  type RegistryRow,
  registryByHost,
  registryById,
} from '../store/registry.ts';
import type { Reader } from '../store/store.ts';
import type { Core } from './core.ts';
import { byPathNumber, demandAllProjects } from './lookup.ts';
import { mapPage, type Page, type PageAsk, pageOf } from './paging.ts';
import { normalizeRegistryHost } from './registry-host.ts';

const CHECK_MS = 15_000;

/** More than any instance pulls from. */
const MOST = 100;

/** By host. */
export function listRegistries({ store }: Core, _ctx: OpContext, ask: PageAsk = {}): Page<Registry> {
  return mapPage(
    pageOf(listRows(store), (row) => row.host, ask),
    present,
  );
}

/** @throws DavitError not_found */
export function readRegistry({ store }: Core, _ctx: OpContext, number: string | undefined): Registry {
  return present(found(store, number));
}

/**
 * Stores the credentials of a host that has none yet, once the registry has taken them.
 * @throws DavitError invalid_input for what is no host; conflict when the host has some, when there are as many as there
 * may be, or with the registry's words; forbidden for an actor that is limited to some projects; EngineUnavailable
 */
export async function addRegistry(
  core: Core,
  { actor }: OpContext,
  input: RegistryCreate,
  check: boolean,
): Promise<Registry> {
  demandAllProjects(actor, 'change what concerns all of them');
  const host = normalizeRegistryHost(input.host);
  if (host === null)
    throw new DavitError(
      'invalid_input',
      'host: must be a registry’s host, such as ghcr.io or registry.example.com:5000.',
    );
  refuseTaken(core.store, host);
  refuseMore(core.store);
  const { username, password } = input;
  const checkedAt = check ? await checkNow(core, host, { username, password }) : null;
  return core.store.tx((tx) => {
    refuseTaken(tx, host);
    refuseMore(tx);
    const at = core.now();
    const sealed = core.sealer.seal(password, passwordPlace(host));
    const row = { host, username, password: sealed, created_at: at, updated_at: at, checked_at: checkedAt };
    const id = insertRegistry(tx, row);
    core.store.trail.about({ target: host });
    return present({ ...row, id });
  });
}

/**
 * Changes the account or the password, or checks what is stored.
 * @throws DavitError not_found; else as for a new one
 */
export async function patchRegistry(
  core: Core,
  { actor }: OpContext,
  number: string | undefined,
  patch: RegistryPatch,
  check: boolean,
): Promise<Registry> {
  demandAllProjects(actor, 'change what concerns all of them');
  const before = found(core.store, number);
  const username = patch.username ?? before.username;
  const password = patch.password ?? storedPassword(core, before);
  const checkedAt = check ? await checkNow(core, before.host, { username, password }) : null;
  return core.store.tx((tx) => {
    // Both belong together: what was checked is what is kept, whoever else changes them meanwhile.
    const isChanged = patch.username !== undefined || patch.password !== undefined;
    const after: RegistryRow = {
      ...found(tx, number),
      username,
      password: core.sealer.seal(password, passwordPlace(before.host)),
      ...(isChanged && { updated_at: core.now(), checked_at: checkedAt }),
      ...(checkedAt !== null && { checked_at: checkedAt }),
    };
    changeRegistry(tx, after);
    return present(after);
  });
}

/** @throws DavitError not_found; forbidden for an actor that is limited to some projects */
export function removeRegistry(core: Core, { actor }: OpContext, number: string | undefined): void {
  demandAllProjects(actor, 'change what concerns all of them');
  core.store.tx((tx) => deleteRegistry(tx, found(tx, number).id));
}

/** Answers when the registry took the credentials. Its refusal is the caller's to read, in its own words. */
async function checkNow({ engine, now }: Core, host: string, auth: RegistryAuth): Promise<number> {
  const deadline = AbortSignal.timeout(CHECK_MS);
  try {
    await engine.checkRegistry(host, auth, deadline);
    return now();
  } catch (cause) {
    const unchecked = 'With check=false it is stored unchecked.';
    if (deadline.aborted)
      throw new DavitError('conflict', `${host} did not answer within ${CHECK_MS / 1_000} s. ${unchecked}`, { cause });
    if (!(cause instanceof EngineRefused)) throw cause;
    const words = sentence(cause.message.replace(/^ask the registry \S+: /, ''));
    throw new DavitError('conflict', `${host} does not take these credentials: ${words} ${unchecked}`, { cause });
  }
}

function storedPassword({ sealer }: Core, row: RegistryRow): string {
  return unsealed(
    () => openPassword(sealer, row),
    `The stored password for ${row.host} was changed outside Davit: send it anew.`,
  );
}

function refuseMore(db: Reader): void {
  if (listRows(db).length < MOST) return;
  throw new DavitError(
    'conflict',
    `There are credentials of ${MOST} registries, which is as many as there may be: remove some first.`,
  );
}

function refuseTaken(db: Reader, host: string): void {
  const taken = registryByHost(db, host);
  if (taken)
    throw new DavitError('conflict', `There are credentials for ${host} already: change them (registry ${taken.id}).`);
}

function found(db: Reader, number: string | undefined): RegistryRow {
  const row = byPathNumber(number, (id) => registryById(db, id));
  if (row === undefined) throw new DavitError('not_found', 'There is no such registry: list the registries.');
  return row;
}

function present({ id, host, username, checked_at, created_at, updated_at }: RegistryRow): Registry {
  return {
    id,
    host,
    username,
    checked_at: timestamp(checked_at),
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}
