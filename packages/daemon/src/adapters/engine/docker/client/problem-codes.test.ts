import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EngineProblemCode, ImageProblemCode } from '@davit/api';
import { type EngineState, problemCodeOf, pullProblemCodeOf, saysState } from './problem-codes.ts';

const RUNC =
  'failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process:';
const ENDPOINT =
  'driver failed programming external connectivity on endpoint shop (114f52be1cac323f7dd65c741b2025aa0d336262):';

/** Error texts of Docker 20.10 to 28. The live suites check the texts of 20.10 on a real engine. */
const EXAMPLES: [EngineProblemCode, string][] = [
  ['command_not_found', `${RUNC} exec: "nosuch": executable file not found in $PATH: unknown`],
  ['command_not_found', `${RUNC} exec: "/bin/nosuch": stat /bin/nosuch: no such file or directory: unknown`],
  [
    'command_not_found',
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "/bin/no-such-program": stat /bin/no-such-program: no such file or directory: unknown',
  ],
  [
    'command_not_found',
    `${RUNC} error during container init: exec: "/app/start": stat /app/start: not a directory: unknown`,
  ],
  ['command_not_found', `${RUNC} chdir to cwd ("/etc/passwd") set in config.json failed: not a directory: unknown`],
  ['command_not_executable', `${RUNC} exec: "/etc": permission denied: unknown`],
  ['command_not_executable', `${RUNC} exec /app/server: exec format error: unknown`],
  ['user_not_found', 'unable to find user nosuch: no matching entries in passwd file'],
  ['user_not_found', 'unable to find group nosuch: no matching entries in group file'],
  ['port_taken', `${ENDPOINT} Bind for 0.0.0.0:23999 failed: port is already allocated`],
  ['port_taken', `${ENDPOINT} Error starting userland proxy: listen tcp4 0.0.0.0:23998: bind: address already in use`],
  ['port_taken', 'Address already in use'],
  ['limits_refused', 'Minimum memory limit allowed is 6MB'],
  ['limits_refused', 'Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available'],
  ['limits_refused', 'Minimum memoryswap limit should be larger than memory limit, see usage'],
  [
    'limits_refused',
    'Memory limit should be smaller than already set memoryswap limit, update the memoryswap at the same time',
  ],
  [
    'mount_denied',
    `${RUNC} error during container init: error mounting "/etc/passwd" to rootfs at "/etc": mount /etc/passwd:/etc (via /proc/self/fd/6), flags: 0x5000: not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)? Check if the specified host path exists and is the expected type`,
  ],
  ['mount_denied', 'invalid mount config for type "bind": bind source path does not exist: /nosuch'],
  ['mount_denied', "error while creating mount source path '/host/x': mkdir /host: read-only file system"],
  ['disk_full', 'mkdir /var/lib/docker/overlay2/42e68ff7-init: no space left on device'],
  [
    'memory_in_use',
    'Cannot update container 4f3c: runc did not terminate successfully: exit status 1: failed to write "16777216" to "/sys/fs/cgroup/memory/docker/4f3c/memory.limit_in_bytes": write /sys/fs/cgroup/memory/docker/4f3c/memory.limit_in_bytes: device or resource busy: unknown',
  ],
  [
    'memory_in_use',
    'Cannot update container 4f3c: runc did not terminate successfully: exit status 1: unable to set memory limit to 16777216 (current usage: 37773312, peak usage: 38182912): unknown',
  ],
  ['memory_in_use', 'Cannot update container 4f3c: rejecting memory+swap limit 16777216 <= usage 37773312: unknown'],
  ['out_of_memory', `${RUNC} container init was OOM-killed (memory limit too low?): unknown`],
  ['out_of_memory', 'fork/exec /usr/bin/runc: cannot allocate memory: unknown'],
  ['engine_refused', 'No such container: davit-12345678-3-1'],
  [
    'engine_refused',
    'error gathering device information while adding custom device "/dev/nosuch": no such file or directory',
  ],
  ['engine_refused', 'Conflict. The container name "/x" is already in use by container "114f52be".'],
];

for (const [code, words] of EXAMPLES) {
  test(`problemCodeOf returns ${code} for “${words.replace(RUNC, '').slice(0, 90)}”`, () =>
    assert.equal(problemCodeOf(words), code));
}

/** Error texts with which Docker 20.10 to 28 refuses a pull. */
const PULLS: [ImageProblemCode | null, string][] = [
  ['image_not_found', 'manifest for alpine:nosuch not found: manifest unknown: manifest unknown'],
  ['image_not_found', 'manifest unknown'],
  [
    'image_not_found',
    "pull access denied for acme/nosuch, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
  ],
  ['image_not_found', 'name unknown: repository name not known to registry'],
  [
    'image_not_found',
    'failed to resolve reference "docker.io/library/alpine:nosuch": docker.io/library/alpine:nosuch: not found',
  ],
  ['image_not_found', 'No such image: acme/web:1'],
  ['registry_unreachable', 'Get "http://127.0.0.1:5999/v2/": dial tcp 127.0.0.1:5999: connect: connection refused'],
  ['registry_unreachable', 'Get "http://127.0.0.1:5999/v2/": EOF'],
  ['registry_unauthorized', 'Head "https://ghcr.io/v2/a/b/manifests/1": unauthorized'],
  ['registry_unauthorized', 'Get "https://registry.example/v2/a/manifests/1": no basic auth credentials'],
  [null, 'failed to register layer: no space left on device'],
];

for (const [code, words] of PULLS) {
  test(`pullProblemCodeOf returns ${code} for “${words.slice(0, 60)}”`, () =>
    assert.equal(pullProblemCodeOf(words), code));
}

/** Error texts of Docker 20.10 to 28 for states that the adapter handles. */
const STATES: [EngineState, string][] = [
  ['subnet_taken', 'Pool overlaps with other one on this address space'],
  [
    'subnet_taken',
    'cannot create network 9a1 (br-9a1): conflicts with network 4c2 (br-4c2): networks have overlapping IPv4',
  ],
  ['not_connected', 'container 5f1 is not connected to network davit-a-b'],
  ['already_connected', 'endpoint with name davit-names already exists in network davit-a-b'],
  ['already_connected', 'container is already attached to network davit-a-b'],
  ['removal_in_progress', 'removal of container 5f1 is already in progress'],
  ['api_version_refused', 'client version 1.24 is too old. Minimum supported API version is 1.44'],
  ['api_version_refused', 'client version 1.60 is too new. Maximum supported API version is 1.48'],
];

for (const [state, words] of STATES) {
  test(`saysState recognizes ${state} in “${words.slice(0, 60)}”`, () => assert.ok(saysState(words, state)));
  test(`saysState does not report ${state} for another error text`, () =>
    assert.ok(!saysState('No such container: 5f1', state)));
}
