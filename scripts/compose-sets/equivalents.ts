/**
 * The keys of a Compose service for which Davit has an equivalent, each with a check of the template that the importer
 * wrote. A check applies the rules of Compose and of the template format, and does not use the importer.
 */
import { checkLabels, checkNames } from './checks/addresses.ts';
import {
  checkCommand,
  checkEntrypoint,
  checkPullPolicy,
  checkRestart,
  isOnlySetting,
  isTrue,
} from './checks/container.ts';
import { checkEnvFile, checkEnvironment } from './checks/environment.ts';
import { checkHealth } from './checks/health.ts';
import { checkImage } from './checks/image.ts';
import { checkCpus, checkMemory, checkReplicas } from './checks/limits.ts';
import { checkConfigs, checkSecrets, checkVolumes } from './checks/mounts.ts';
import { checkExpose, checkPorts } from './checks/ports.ts';
import { checkDependencies } from './checks/services.ts';
import type { Check } from './part.ts';

interface Equivalent {
  /** Equivalent of the key in Davit. */
  davit: string;
  /** Values that have no equivalent in Davit and are not counted. An empty text means that every value is counted. */
  except: string;
  check: Check;
}

/** Equivalents by the key of a Compose service. A dot separates the keys of nested mappings. */
export const EQUIVALENTS: Readonly<Record<string, Equivalent>> = {
  image: { davit: '`image` and `tag`, or the engine of a database', except: '', check: checkImage },
  entrypoint: { davit: '`command`', except: 'entry point of a database', check: checkEntrypoint },
  command: { davit: '`args`', except: 'parameters of a database server', check: checkCommand },
  environment: {
    davit: '`env`; for a database, its name and its login',
    except: 'names that are not `[A-Za-z_][A-Za-z0-9_.]*`',
    check: checkEnvironment,
  },
  env_file: { davit: '`env`', except: 'files that do not exist beside the Compose file', check: checkEnvFile },
  ports: {
    davit: '`port`, `domains` and `tcp`',
    except: 'UDP, ranges of more than 20 ports, TCP ports on a loopback address, ports of a database',
    check: checkPorts,
  },
  expose: { davit: '`port`', except: 'ports of a database, which its engine decides', check: checkExpose },
  labels: { davit: '`port` and `domains`', except: 'labels that Traefik does not read', check: checkLabels },
  volumes: {
    davit: '`volumes`, or `files` for a mounted text file',
    except: 'paths outside the folder of the Compose file, files that do not exist beside it, `tmpfs`',
    check: checkVolumes,
  },
  configs: { davit: '`files`', except: 'configs without `content`', check: checkConfigs },
  secrets: { davit: '`files` with a secret input', except: 'external secrets', check: checkSecrets },
  depends_on: { davit: '`depends_on`', except: 'services that are not converted', check: checkDependencies },
  healthcheck: {
    davit: '`health`',
    except: 'checks that do not request an HTTP path on the port of the app, intervals and timeouts',
    check: checkHealth,
  },
  restart: { davit: 'default: Davit restarts every app', except: '`no`', check: checkRestart },
  'deploy.replicas': { davit: '`scale`', except: 'apps with volumes or TCP ports', check: checkReplicas },
  scale: { davit: '`scale`', except: 'apps with volumes or TCP ports', check: checkReplicas },
  'deploy.resources.limits.cpus': { davit: '`limits`', except: '', check: checkCpus },
  'deploy.resources.limits.memory': { davit: '`limits`', except: '', check: checkMemory },
  cpus: { davit: '`limits`', except: '', check: checkCpus },
  mem_limit: { davit: '`limits`', except: '', check: checkMemory },
  container_name: {
    davit: 'host name of the app in variables',
    except: 'names that no variable contains',
    check: checkNames,
  },
  hostname: {
    davit: 'host name of the app in variables',
    except: 'names that no variable contains',
    check: checkNames,
  },
  links: { davit: 'host name of the app in variables', except: 'names that no variable contains', check: checkNames },
  init: { davit: 'default: every app has an init process', except: '`false`', check: isTrue },
  pull_policy: {
    davit: '`pull` of an app',
    except: 'other policies than `always` and `missing`',
    check: checkPullPolicy,
  },
  stop_grace_period: { davit: '`stop` of an app', except: '', check: isOnlySetting },
  stop_signal: { davit: '`stop` of an app', except: '', check: isOnlySetting },
  pids_limit: { davit: '`limits` of an app', except: '', check: isOnlySetting },
};
