/**
 * The engine: what runs containers.
 *
 * Few primitives, the same on every adapter. Blue/green, health gates and retirement are the deploy machine's work, so
 * that they behave alike on every engine; an engine's own rolling update is never used. Every object an adapter makes
 * carries this Davit's permanent id in its name and labels, and an adapter never lists, counts or removes an object
 * without that id: two Davits on one engine do not see each other.
 */

import type { Execution, ExecutionInput, Program } from './execution.ts';
import type { MadeEngine, MadeImage } from './made-images.ts';

/** Label names, the join between our records and the engine's objects. Values are strings. */
export const LABEL = {
  /** The permanent id of the Davit that owns the object. */
  instance: 'davit.instance',
  /** What the object is: see {@link ObjectKind}. */
  kind: 'davit.kind',
  /** The reference of the app, database or object store that the object is of. */
  app: 'davit.app',
  /** Of a volume: which of them its owner is. One without it is an app's. */
  owner: 'davit.owner',
  /** The deployment's number. */
  deployment: 'davit.deployment',
} as const;

/** What a group's containers are of, and whose a volume is. */
export type GroupKind = 'app' | 'database' | 'store';

/** `release`: a deployment's command. `run`: a command that somebody or a schedule asked for. */
export type ObjectKind = GroupKind | 'release' | 'run' | 'network' | 'proxy' | 'registry' | 'names' | 'volume';

/** What an adapter can do; documented so that plans can say what will happen without naming an engine. */
export interface EngineCapabilities {
  /** Nothing real runs: shown in the terminal and by `GET /instance`. */
  simulated: boolean;
  /** CPU, memory and pids limits of a running instance can be changed in place. */
  liveLimits: boolean;
}

export interface EngineInfo {
  /** For example `20.10.24`; the adapter's own word. */
  version: string;
  cpus: number;
  memoryBytes: number;
}

export interface Image {
  /** The engine's own content id (`sha256:…`): containers are created from it, never from a tag. */
  id: string;
  /** Manifest digest (`sha256:…`) when the engine knows one, else null: a locally built image has none. */
  digest: string | null;
  /** TCP ports the image EXPOSEs, ascending. */
  exposedPorts: number[];
  /** The image has a HEALTHCHECK with a command. */
  hasHealthcheck: boolean;
  sizeBytes: number;
}

/** An image as one of our tags names it. */
export interface HeldImage {
  tag: string;
  imageId: string;
  /** All of it; layers that it shares with other images are counted with each. */
  sizeBytes: number;
}

/** Credentials for a registry, given per call and never kept by an adapter. */
export interface RegistryAuth {
  username: string;
  password: string;
}

export interface Network {
  name: string;
  /** CIDR, for example `10.208.3.0/24`. */
  subnet: string;
  gateway: string;
  /** Instances take fixed addresses from here … */
  firstAddress: string;
  /** … to here; the rest of the subnet is the engine's, which refuses a member outside. */
  lastAddress: string;
}

export interface Limits {
  /** Cores; null: no limit. */
  cpu: number | null;
  /** Null: the machine's memory less what is kept for the platform. */
  memoryBytes: number | null;
  pids: number;
}

/** One instance of a group: what differs between its members. */
export interface GroupMember {
  /** `davit-<id>-<deployment>-<n>`, at most 63 characters. */
  name: string;
  /** A fixed IPv4 address on the group's network. */
  address: string;
  /** Variables of this member alone, added to the group's. */
  env: Record<string, string>;
}

/**
 * A file that a container finds when it starts. It is put into the container itself, so that what it holds is in no
 * variable, argument or label, and goes with the container; a folder that the image lacks is made.
 */
export interface GroupFile {
  /** Absolute, without `.` and `..`. */
  path: string;
  bytes: Uint8Array;
  /** For example 0o400. */
  mode: number;
  /** 0 unless given: root's. */
  uid?: number;
  gid?: number;
}

/** N instances of one release; or the container of a database or an object store, which has no releases. */
export interface Group {
  kind: GroupKind;
  /** The reference of what the containers are of. */
  app: string;
  /** The deployment's number; null for what is not deployed. */
  deployment: number | null;
  imageId: string;
  network: string;
  env: Record<string, string>;
  /** Replaces the image's ENTRYPOINT (Kubernetes' and the OCI's `command`). Null: the image's own. */
  command: string[] | null;
  /** Replaces the image's CMD. Null: the image's own, unless `command` is given. */
  args: string[] | null;
  limits: Limits;
  /** Sent by `stop`. For example `SIGTERM`. */
  stopSignal: string;
  volumes: { name: string; path: string }[];
  tcpPorts: { hostPort: number; containerPort: number }[];
  /** In every member. */
  files: GroupFile[];
  members: GroupMember[];
}

export type InstanceState = 'created' | 'running' | 'restarting' | 'paused' | 'exited' | 'dead';

/** What the engine says of one of our containers. */
export interface ObservedInstance {
  /** The engine's container id. */
  id: string;
  name: string;
  kind: ObjectKind;
  /** The reference of the app, database or object store; null when its label is gone. */
  app: string | null;
  deployment: number | null;
  state: InstanceState;
  /** Of the last exit; null while it never exited. */
  exitCode: number | null;
  oomKilled: boolean;
  restarts: number;
  address: string | null;
  startedAt: Date | null;
}

/** The end of an instance. */
export interface Exit {
  exitCode: number;
  oomKilled: boolean;
}

/** One look at whether an instance answers. `command` runs the image's HEALTHCHECK test inside the instance. */
export type Probe =
  | { kind: 'http'; port: number; path: string; timeoutMs: number }
  | { kind: 'tcp'; port: number; timeoutMs: number }
  | { kind: 'command'; timeoutMs: number };

export type ProbeResult = { ok: true } | { ok: false; reason: string };

export interface LogLine {
  at: Date;
  stream: 'stdout' | 'stderr';
  line: string;
}

/** Many lines at once, in columns: for whoever keeps everything, without an object a line. */
export interface LogBatch {
  count: number;
  /** When each line was written: seconds since 1970 … */
  seconds: Uint32Array;
  /** … and nanoseconds after that. */
  nanos: Uint32Array;
  /** 1: stderr, 0: stdout. */
  stderr: Uint8Array;
  /** The lines as written, each ended by a line feed. */
  text: Buffer;
  /** Where the batch ends, to go on from: what it says is the adapter's own. */
  position: string;
}

export interface LogBatchQuery {
  /** Only what comes after the batch that had this position; null: everything that the engine still has. */
  after: string | null;
  /** Go on with what is written until the end of the instance's run. */
  follow: boolean;
  signal: AbortSignal;
}

/** A command that runs once, to its end, in a container of its own from a release's image. */
export interface OneOff {
  kind: 'release' | 'run';
  /** Its container's name: a second run under the same name adopts what the first began, so a restart repeats nothing. */
  name: string;
  app: string;
  deployment: number;
  imageId: string;
  network: string;
  env: Record<string, string>;
  command: string[];
  limits: Limits;
  volumes: { name: string; path: string }[];
  /** Absent: none. */
  files?: GroupFile[];
}

export interface OneOffResult {
  exitCode: number;
  /** stdout and stderr as written, the last {@link ONE_OFF_OUTPUT_BYTES}. */
  output: string;
}

export const ONE_OFF_OUTPUT_BYTES = 64 * 1024;

/** Is told each line of a command as it is written, and of the next one when it is done with it. */
export type TakeLine = (line: LogLine) => void | Promise<void>;

/** What an instance uses. Counters begin at 0 with its start. */
export interface InstanceUsage {
  at: Date;
  /** CPU time since its start, in nanoseconds over all cores. */
  cpuNs: number;
  /** Without the page cache, which the kernel takes back when it needs it. */
  memoryBytes: number;
  /** Null: no limit. */
  memoryLimitBytes: number | null;
  receivedBytes: number;
  sentBytes: number;
}

/** A named volume of ours. */
export interface Volume {
  name: string;
  /** The reference of what it was made for; null when its label is gone. */
  app: string | null;
  owner: GroupKind;
  createdAt: Date | null;
}

/** The file system that the engine keeps its images and volumes on. */
export interface DiskUse {
  path: string;
  /** Without what is reserved for root. */
  totalBytes: number;
  /** What everybody may still take. */
  freeBytes: number;
}

/**
 * An interactive program inside an instance, with a terminal of its own. Disposing it ends the program and all that was
 * started from its terminal; what went into a session of its own (`setsid`) stays.
 */
export interface Terminal extends AsyncDisposable {
  /** What it writes, read as fast as it is taken; ends with the program. */
  output: AsyncIterable<Buffer>;
  /** Resolves when the bytes were taken; those for a program that has ended are nobody's. */
  write(bytes: Uint8Array): Promise<void>;
  resize(size: TerminalSize): Promise<void>;
  /** Resolves when the program has ended; null when the engine does not know how. */
  exited: Promise<number | null>;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** An internal name and the addresses it resolves to, on the networks of this Davit. */
export interface NameRecord {
  name: string;
  addresses: string[];
}

/** Something happened to one of our containers; `resync` after a gap, when anything may have. */
export type EngineEvent = { kind: 'changed'; id: string; name: string; action: string } | { kind: 'resync' };

/** The engine does not answer. Reads go on with what was last seen; deploys are refused with 503. */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

/** The reason of an abort that only lets go of a command: its container goes on, for the next call under its name. */
export class LeftRunning extends Error {
  override name = 'LeftRunning';
}

/** The engine answered and refused; the message is its own words behind what we were doing («create container: …»). */
export class EngineRefused extends Error {
  override name = 'EngineRefused';
}

/** The image is not where it was looked for; the message names it and quotes the registry. */
export class ImageNotFound extends EngineRefused {
  override name = 'ImageNotFound';
}

export interface Engine extends AsyncDisposable {
  readonly kind: 'docker' | 'memory';
  readonly capabilities: EngineCapabilities;

  /** @throws EngineUnavailable when nothing answers within 2 s */
  info(signal?: AbortSignal): Promise<EngineInfo>;

  /** The images of databases that can be made on this machine. Asks nothing of the network. */
  madeImages(): Promise<MadeImage[]>;
  /**
   * Makes one of them, or finds it; `made-images.ts` says what it promises. Takes from milliseconds to a minute or two.
   * @throws EngineRefused saying what to do when it cannot be made
   */
  makeImage(engine: MadeEngine, version: string, signal: AbortSignal): Promise<Image>;
  /** Looks for an image (reference or id) that the engine already has; null when it has none. Asks no registry. */
  findImage(reference: string, signal?: AbortSignal): Promise<Image | null>;
  /**
   * Asks the reference's registry, through the engine, for the manifest's digest; pulls nothing.
   * @throws ImageNotFound when the registry has no such image, EngineRefused with the registry's words otherwise
   */
  findRemoteImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<string>;
  /**
   * Pulls a reference. Every message of the stream is read: an engine reports a failed pull inside a 200.
   * @throws ImageNotFound when the registry has no such image, EngineRefused with the registry's words otherwise
   */
  pullImage(reference: string, auth: RegistryAuth | null, signal: AbortSignal): Promise<Image>;
  /** Keeps an image from being collected, by a local tag of ours (`davit-<id>/<app>:<deployment>`). Idempotent. */
  holdImage(imageId: string, tag: string): Promise<void>;
  /** Removes a tag of ours and nothing else; one that is gone already is fine. Refuses a tag that is not ours. */
  releaseImage(tag: string): Promise<void>;
  /** The tags of ours that the engine has. */
  heldImages(): Promise<string[]>;
  /** The same with what is behind them, by tag. */
  inspectHeld(): Promise<HeldImage[]>;
  /**
   * Takes away the name under which an image was pulled, where it still means that image; the image goes with its last
   * name. A name that is gone, or means another image by now, is fine.
   * @returns false when a container of anybody's keeps the image under its last name
   */
  untagImage(reference: string, imageId: string): Promise<boolean>;

  /**
   * Makes or finds a network by name, with a /24 of the pool claimed by trying: another owner's overlapping network
   * makes the engine refuse, and the next one is tried. Idempotent: the same name gives the same network.
   */
  ensureNetwork(name: string): Promise<Network>;
  /** Removes a network of ours; one that is gone already is fine. */
  removeNetwork(name: string): Promise<void>;
  /** The names of this Davit's networks. */
  networks(): Promise<string[]>;

  /**
   * Creates (not starts) a group's containers, concurrently, each with its files. Idempotent by name: a container of the
   * same name, kind and deployment is adopted as it is (without a deployment: of the same kind and owner); its files are
   * put in anew while it was never started. Restart policy `no`: an instance under check that exits must stay down to be seen.
   * @returns container ids in the order of the members. When one fails, the others are left for the caller's undo.
   */
  createGroup(group: Group, signal?: AbortSignal): Promise<string[]>;
  /** Starts a container; one that runs already is fine. */
  start(id: string, signal?: AbortSignal): Promise<void>;
  /** From now on the engine restarts the container by itself (`unless-stopped`). Idempotent. */
  keepRunning(id: string): Promise<void>;
  /** Resolves when the container is not running (at once if it is not); rejects with the signal's reason on abort. */
  waitExit(id: string, signal: AbortSignal): Promise<Exit>;
  /** Sends the stop signal, waits up to `graceS` seconds, then kills. Gone or stopped already is fine. */
  stop(id: string, stop: { signal: string; graceS: number }): Promise<void>;
  /** Removes a container, killing it if it runs; its named volumes stay. Gone already is fine. */
  remove(id: string): Promise<void>;
  /** Changes limits in place; only with `capabilities.liveLimits`. */
  setLimits(id: string, limits: Limits): Promise<void>;
  /** Every container of ours, in any state: of apps, one-offs, databases and object stores, not the platform's own. */
  observe(signal?: AbortSignal): Promise<ObservedInstance[]>;
  /** One look at an instance, from where the proxy stands. Never throws for an instance that does not answer. */
  probe(id: string, probe: Probe, signal?: AbortSignal): Promise<ProbeResult>;
  /** The last so many lines that an instance wrote, oldest first; none of one that is gone. */
  lastLines(id: string, count: number): Promise<LogLine[]>;
  /**
   * Lines in the order in which the engine has them, none left out and none twice however often it is gone on from a
   * position. One that is gone yields none; an abort ends the iteration.
   */
  logBatches(id: string, query: LogBatchQuery): AsyncIterable<LogBatch>;
  /**
   * Runs to the end; on abort the container is removed, unless the reason is {@link LeftRunning}. It is removed after its
   * exit too.
   * @param onLine is told of each line once; the result has the last of them all the same
   */
  runOnce(oneOff: OneOff, signal: AbortSignal, onLine?: TakeLine): Promise<OneOffResult>;
  /**
   * Starts a program with a terminal inside a running instance; an abort is as good as disposing it.
   * @throws EngineRefused when the instance does not run or has no such program
   */
  openTerminal(id: string, command: string[], size: TerminalSize, signal: AbortSignal): Promise<Terminal>;
  /**
   * Runs a program inside a running instance, without a shell and without a terminal. Nothing is read from `stdin` and
   * nothing taken from the program faster than the other side takes it. An abort ends the program.
   * @throws EngineRefused when the instance does not run or has no such program
   */
  execute(id: string, program: Program, input: ExecutionInput): Promise<Execution>;
  /** What the running instances of these ids use; those that do not run are left out. */
  usage(ids: readonly string[], signal?: AbortSignal): Promise<Map<string, InstanceUsage>>;

  /**
   * Makes a named volume, with our labels. Idempotent.
   * @param app the reference of what it is for
   * @param owner which of them that is; an app unless given
   */
  ensureVolume(name: string, app: string, owner?: GroupKind): Promise<void>;
  /** Removes a volume of ours with its data; one that is gone already is fine. @throws EngineRefused while a container uses it */
  removeVolume(name: string): Promise<void>;
  /** The volumes of this Davit. */
  volumes(): Promise<Volume[]>;
  /** What a volume holds, in bytes; null where the engine cannot say. May take seconds. */
  volumeSize(name: string, signal?: AbortSignal): Promise<number | null>;
  /** Where images and volumes are kept; null when the engine's disk cannot be seen from here. */
  disk(): Promise<DiskUse | null>;
  /**
   * Asks a registry, through the engine, whether it takes these credentials.
   * @throws EngineRefused with the registry's words
   */
  checkRegistry(host: string, auth: RegistryAuth, signal: AbortSignal): Promise<void>;

  /** Makes exactly these internal names resolvable on our networks; idempotent, whole state each time. */
  publishNames(records: NameRecord[]): Promise<void>;

  /** What happens to our containers, until the signal aborts; survives an engine restart with a `resync`. */
  watch(signal: AbortSignal): AsyncIterable<EngineEvent>;
}
