import assert from 'node:assert/strict';
import type { ImageProblemCode } from '@davit/api';
import { patience } from '@davit/testkit/waiting';
import type { Engine } from '../../src/adapters/engine/engine.ts';
import { ImageNotFound, PullRefused } from '../../src/adapters/engine/errors.ts';
import type { Group } from '../../src/adapters/engine/group.ts';
import type { Image, RegistryAuth } from '../../src/adapters/engine/image.ts';
import { ImageProblem } from '../../src/adapters/engine/image-problem.ts';
import { instanceName, namePrefix } from '../../src/adapters/engine/names.ts';
import type { Network } from '../../src/adapters/engine/network.ts';

/** References of test images by their behavior. The engine has all of them except `absent`. */
export interface RigImages {
  /** Serves HTTP on the exposed port 8080 with 200 on `/`. The image has no HEALTHCHECK. */
  web: string;
  /** Like `web`, and also exposes port 9090. */
  twoPorts: string;
  /** Writes "starting" to stdout and a line with "fatal" to stderr, and exits with `crashExitCode`. */
  crash: string;
  crashExitCode: number;
  /** Runs and exposes port 8080, but does not listen on the port. */
  silent: string;
  /** Has a HEALTHCHECK that succeeds. */
  healthy: string;
  /** Has a HEALTHCHECK that fails. */
  sick: string;
  /** Ignores SIGTERM. */
  stubborn: string;
  /** Declares a volume and writes `volumeBytes` to it at its start. */
  volume: string;
  volumeBytes: number;
  /** An image that its registry does not have. */
  absent: string;
}

/** An engine under test, and operations that its interface does not offer. */
export interface Rig {
  davitId: string;
  engine: Engine;
  images: RigImages;
  /** A registry that accepts `auth` and refuses `wrongPassword`. */
  registry: { host: string; auth: RegistryAuth; wrongPassword: string };
  /** Returns another adapter for the same Davit instance on the same engine, as after a restart of the daemon. */
  reopen(): Engine;
  /** Returns an adapter whose engine does not respond. */
  unavailable(): Engine;
  /** Kills the program of a container from inside, so that the engine treats it as a crash. */
  crash(id: string): Promise<void>;
  /** Pauses a container at the engine. */
  freeze(id: string): Promise<void>;
  /** Makes a running container write a line to stdout. */
  write(id: string, line: string): Promise<void>;
  /** Resolves when no process with this name runs inside a container. */
  endedInside(id: string, program: string): Promise<void>;
  /**
   * Returns the addresses that a container on the network resolves for a name, or an empty array if the name does not
   * resolve.
   */
  resolve(name: string, network: string): Promise<string[]>;
  /** Removes all objects that the cases created at the engine. */
  cleanup(): Promise<void>;
  /** Returns the objects at the engine with the id of this Davit instance. */
  leftovers(): Promise<string[]>;
}

/** Shared parts of the cases: an engine with a network, and functions that create objects for one case. */
export interface Stage {
  rig: Rig;
  engine: Engine;
  network(): Promise<Network>;
  image(name: Exclude<keyof RigImages, 'crashExitCode' | 'volumeBytes' | 'absent'>): Promise<Image>;
  /** Returns a group with unique addresses and a unique deployment. By default it has one member. */
  group(change?: Change & { count?: number }): Promise<Group & { deployment: number }>;
  /** Creates and starts one container of an image. */
  running(name: Parameters<Stage['image']>[0], change?: Change): Promise<string>;
  /**
   * Returns a running `web` container for cases that only run programs in it. These cases share the container, because
   * a real engine needs longer for its start and removal than for a program.
   */
  shared(): Promise<string>;
  /** Returns a deployment number that no other case has. */
  deployment(): number;
  /** Removes all containers except the shared one. */
  clear(): Promise<void>;
  /** Removes the shared container and all others. Does nothing if no case uses the shared container. */
  endShared(): Promise<void>;
}

type Change = Partial<Omit<Group, 'deployment'>>;

export function createStage(rig: Rig): Stage {
  const { engine } = rig;
  let deployments = 0;
  let hosts = 0;
  let shared: Promise<string> | null = null;
  const stage: Stage = {
    rig,
    engine,
    network: () => engine.ensureNetwork(`${namePrefix(rig.davitId)}shared`),
    image: async (name) => {
      const image = await engine.findImage(rig.images[name]);
      assert.ok(image, `the rig has no image ${rig.images[name]}`);
      return image;
    },
    deployment: () => {
      deployments += 1;
      return deployments;
    },
    group: async ({ count = 1, ...change } = {}) => {
      const network = await stage.network();
      const deployment = stage.deployment();
      const members = Array.from({ length: count }, (_, index) => ({
        name: instanceName(rig.davitId, deployment, index + 1),
        address: addressAt(network, hosts++),
        env: {},
      }));
      const imageId = change.imageId ?? (await stage.image('web')).id;
      return { ...PLAIN, deployment, imageId, network: network.name, members, ...change };
    },
    running: async (name, change = {}) => {
      const [id] = await engine.createGroup(await stage.group({ imageId: (await stage.image(name)).id, ...change }));
      assert.ok(id);
      await engine.start(id);
      return id;
    },
    shared: () => {
      shared ??= stage.running('web');
      return shared;
    },
    clear: async () => {
      // If the start failed, the container is removed with the others.
      const kept = await shared?.catch(() => null);
      const instances = await engine.observe();
      await Promise.all(instances.filter(({ id }) => id !== kept).map(({ id }) => engine.remove(id)));
    },
    endShared: async () => {
      if (shared === null) return;
      shared = null;
      await stage.clear();
    },
  };
  return stage;
}

const PLAIN = {
  kind: 'app',
  app: 'acme/production/shop',
  env: {},
  command: null,
  args: null,
  limits: { cpu: null, memoryBytes: null, pids: 256 },
  stopSignal: 'SIGTERM',
  volumes: [],
  tcpPorts: [],
  files: [],
} satisfies Partial<Group>;

/** Returns the nth address for containers. */
function addressAt(network: Network, index: number): string {
  const parts = network.firstAddress.split('.');
  return [...parts.slice(0, 3), Number(parts[3]) + index].join('.');
}

/** Returns a signal with a time limit for calls that must end without an abort. */
export function soon(): AbortSignal {
  return patience();
}

/** Returns the code of a problem with an image, for errors of every adapter. */
export function codeOf(error: unknown): ImageProblemCode | null {
  if (error instanceof ImageProblem || error instanceof PullRefused) return error.code;
  return error instanceof ImageNotFound ? 'image_not_found' : null;
}
