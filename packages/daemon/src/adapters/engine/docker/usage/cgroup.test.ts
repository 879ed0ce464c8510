import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cgroupFilesOf, figuresOf, findCgroupFiles, parseNetwork } from './cgroup.ts';
import { type EngineStats, usageOf, withoutDefaultLimit } from './usage.ts';

const ID = 'ab'.repeat(32);

describe('the cgroup location of a container', () => {
  it('uses separate CPU and memory groups in cgroup v1', () => {
    const files = cgroupFilesOf(
      ID,
      7,
      `9:name=systemd:/docker/${ID}\n4:memory:/docker/${ID}\n2:cpu,cpuacct:/docker/${ID}\n`,
    );
    assert.equal(files?.version, 1);
    assert.equal(files?.cpu, `/sys/fs/cgroup/cpu,cpuacct/docker/${ID}/cpuacct.usage`);
    assert.equal(files?.memory, `/sys/fs/cgroup/memory/docker/${ID}/memory.usage_in_bytes`);
    assert.equal(files?.network, '/proc/7/net/dev');
  });

  it('prefers cgroup v1 if both versions are mounted', () => {
    const groups = `4:memory:/docker/${ID}\n2:cpuacct:/docker/${ID}\n0::/docker/${ID}\n`;
    assert.equal(cgroupFilesOf(ID, 7, groups)?.version, 1);
  });

  it('uses a single group in cgroup v2 with a systemd scope name', () => {
    const files = cgroupFilesOf(ID, 7, `0::/system.slice/docker-${ID}.scope\n`);
    assert.equal(files?.version, 2);
    assert.equal(files?.memory, `/sys/fs/cgroup/system.slice/docker-${ID}.scope/memory.current`);
  });

  it('is null for a foreign process or another cgroup namespace', () => {
    assert.equal(cgroupFilesOf(ID, 7, '0::/system.slice/ssh.service\n'), null);
    assert.equal(cgroupFilesOf(ID, 7, `0::/../docker/${ID}\n`), null);
    assert.equal(cgroupFilesOf(ID, 7, ''), null);
  });

  it('is null for a missing process and for the current process', () => {
    assert.equal(findCgroupFiles(ID, 2 ** 30), null);
    assert.equal(findCgroupFiles(ID, process.pid), null);
  });
});

describe('the resource usage of a container', () => {
  it('reads cgroup v1 files without file pages and with the memory limit', () => {
    const stat =
      'cache 9\ninactive_file 1\nhierarchical_memory_limit 5000\ntotal_inactive_file 300\ntotal_active_file 100\n';
    assert.deepEqual(figuresOf(1, { cpu: '123\n', memory: '1000\n', stat, limit: null }), {
      cpuNs: 123,
      memoryBytes: 600,
      memoryLimitBytes: 5000,
    });
    const none = 'hierarchical_memory_limit 9223372036854771712\n';
    assert.equal(figuresOf(1, { cpu: '0', memory: '0', stat: none, limit: null }).memoryLimitBytes, null);
  });

  it('reads cgroup v2 files without inactive file pages and with the memory limit', () => {
    const texts = {
      cpu: 'usage_usec 5\nuser_usec 3\n',
      memory: '1000\n',
      stat: 'anon 1\ninactive_file 300\nactive_file 1\n',
    };
    assert.deepEqual(figuresOf(2, { ...texts, limit: '4096\n' }), {
      cpuNs: 5_000,
      memoryBytes: 699,
      memoryLimitBytes: 4096,
    });
    assert.equal(figuresOf(2, { ...texts, limit: 'max\n' }).memoryLimitBytes, null);
    assert.equal(figuresOf(2, { ...texts, memory: '10', limit: null }).memoryBytes, 0);
  });

  it('sums the network traffic of all interfaces except loopback', () => {
    const text = `Inter-|   Receive   |  Transmit
 face |bytes packets errs drop fifo frame compressed multicast|bytes packets errs drop fifo colls carrier compressed
    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0
  eth0:     200       2    0    0    0     0          0         0       50       1    0    0    0     0       0          0
  eth1:1 1 0 0 0 0 0 0 2 1 0 0 0 0 0 0
`;
    assert.deepEqual(parseNetwork(text), { receivedBytes: 201, sentBytes: 52 });
    assert.deepEqual(parseNetwork(''), { receivedBytes: 0, sentBytes: 0 });
  });

  it('is read from the engine’s stats or null if the stats are incomplete', () => {
    const stats: EngineStats = {
      read: '2026-01-01T00:00:00Z',
      cpu_stats: { cpu_usage: { total_usage: 7 } },
      memory_stats: { usage: 1000, limit: 5000, stats: { total_inactive_file: 300, total_active_file: 100 } },
      networks: { eth0: { rx_bytes: 1, tx_bytes: 2 }, eth1: { rx_bytes: 10, tx_bytes: 20 } },
    };
    const figures = { cpuNs: 7, memoryBytes: 600, memoryLimitBytes: 5000, receivedBytes: 11, sentBytes: 22 };
    assert.deepEqual(usageOf(stats), { at: new Date('2026-01-01T00:00:00Z'), ...figures });
    assert.equal(usageOf({ ...stats, read: '0001-01-01T00:00:00Z' }), null);
    assert.equal(usageOf({ ...stats, memory_stats: {} }), null);
  });

  it('has no memory limit if the container has only the default limit of the server', () => {
    const common = { at: new Date(0), cpuNs: 1, memoryBytes: 1, receivedBytes: 0, sentBytes: 0 };
    const [gib, pageBytes] = [1024 ** 3, 4_096];
    const defaultBytes = 24 * gib + 1_000;
    const limitOf = (limit: number | null) =>
      withoutDefaultLimit({ ...common, memoryLimitBytes: limit }, defaultBytes).memoryLimitBytes;
    const rounded = Math.floor(defaultBytes / pageBytes) * pageBytes;
    assert.deepEqual([null, defaultBytes, rounded].map(limitOf), [null, null, null]);
    assert.deepEqual([6 * gib, 32 * gib].map(limitOf), [6 * gib, 32 * gib]);
  });
});
