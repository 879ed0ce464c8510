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

/** References of images by what they do. All but `absent` are in the engine. */
export interface RigImages {
  /** Serves HTTP on 8080, which it exposes, with 200 on `/`; no HEALTHCHECK. */
  web: string;
  /** Exposes 9090 as well. */
  twoPorts: string;
  /** Writes «starting» to stdout and a line with «fatal» to stderr, and ends with `crashExitCode`. */
  crash: string;
  crashExitCode: number;
  /** Runs, exposes 8080 and listens on nothing. */
  silent: string;
  /** Has a HEALTHCHECK that says that it is well. */
  healthy: string;
  /** Has a HEALTHCHECK that says that it is not. */
  sick: string;
  /** Does not end on SIGTERM. */
  stubborn: string;
  /** Declares a volume and writes `volumeBytes` to it when it starts. */
  volume: string;
  volumeBytes: number;
  /** Its registry answers that there is no such image. */
  absent: string;
}

/** An engine to be tried, and the hands needed for what its interface does not offer. */
export interface Rig {
  davitId: string;
  engine: Engine;
  images: RigImages;
  /** A registry that takes these credentials, and not the same with the other password. */
  registry: { host: string; auth: RegistryAuth; wrongPassword: string };
  /** Another adapter for the same Davit on the same engine, as after a restart of the daemon. */
  reopen(): Engine;
  /** An adapter whose engine does not answer. */
  unavailable(): Engine;
  /** Ends an instance's program by force from inside, so that the engine takes it for a crash. */
  crash(id: string): Promise<void>;
  /** Pauses an instance at the engine. */
  freeze(id: string): Promise<void>;
  /** Makes a running instance write a line to stdout. */
  write(id: string, line: string): Promise<void>;
  /** Resolves when no process of this name runs inside an instance any more. */
  endedInside(id: string, program: string): Promise<void>;
  /** What a container on the network gets for a name; empty when it does not resolve. */
  resolve(name: string, network: string): Promise<string[]>;
  /** Removes everything. */
  cleanup(): Promise<void>;
  /** What the engine still has with the id of this Davit. */
  leftovers(): Promise<string[]>;
}

/** What the cases share: an engine with a network, and things made for one case alone. */
export interface Stage {
  rig: Rig;
  engine: Engine;
  network(): Promise<Network>;
  image(name: Exclude<keyof RigImages, 'crashExitCode' | 'volumeBytes' | 'absent'>): Promise<Image>;
  /** A group of one member, unless told otherwise, with addresses and a deployment that no other case has. */
  group(change?: Change & { count?: number }): Promise<Group & { deployment: number }>;
  /** Creates and starts one instance of an image. */
  running(name: Parameters<Stage['image']>[0], change?: Change): Promise<string>;
  /** A deployment number that no other case has. */
  deployment(): number;
  clear(): Promise<void>;
}

type Change = Partial<Omit<Group, 'deployment'>>;

export function createStage(rig: Rig): Stage {
  const { engine } = rig;
  let deployments = 0;
  let hosts = 0;
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
    clear: async () => {
      const instances = await engine.observe();
      await Promise.all(instances.map((instance) => engine.remove(instance.id)));
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

/** The nth address for instances. */
function addressAt(network: Network, index: number): string {
  const parts = network.firstAddress.split('.');
  return [...parts.slice(0, 3), Number(parts[3]) + index].join('.');
}

/** A signal for calls that must end by themselves. */
export function soon(): AbortSignal {
  return patience();
}

/** The code of a problem with an image, whichever adapter found it. */
export function codeOf(error: unknown): ImageProblemCode | null {
  if (error instanceof ImageProblem || error instanceof PullRefused) return error.code;
  return error instanceof ImageNotFound ? 'image_not_found' : null;
}
