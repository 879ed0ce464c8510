import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, DOMAIN, draftOf, draftWith, meaningOf } from '../../test/support/drafts.ts';
import type { Draft, DraftApp, DraftInput, DraftTcpPort } from '../draft.ts';

const PORT: DraftInput = { key: 'port', type: 'number', label: 'x', min: 1024, max: 65_535 };
const PARTS: Partial<Draft> = { minCubeship: '0.7.2', inputs: [DOMAIN, PORT] };

describe('reported problems of volumes', () => {
  const at = 'apps.0.volumes';
  const cases: [what: string, app: Partial<DraftApp>, said: string[], minCubeship?: string][] = [
    ['none for several volumes', { volumes: [{ path: '/data' }, { path: '/datas' }, { path: '/data/x' }] }, []],
    ['none without volumes, for every version', { volumes: [], scale: 2 }, [], '*'],
    ['an invalid path', { volumes: [{ path: 'data' }] }, [`volume.path ${at}.0.path`]],
    ['a duplicate path', { volumes: [{ path: '/data' }, { path: '/x/../data/' }] }, [`volume.duplicate ${at}.1.path`]],
    ['several replicas', { volumes: [{ path: '/data' }], scale: 2 }, [`volume.one-copy ${at}`]],
    ['spread', { volumes: [{ path: '/data' }], spread: true }, [`volume.one-copy ${at}`]],
    ['autoscale', { volumes: [{ path: '/data' }], autoscale: { max: 1, cpu: 80 } }, [`volume.one-copy ${at}`]],
    ['none for one replica', { volumes: [{ path: '/data' }], scale: 1, spread: false }, []],
    [
      'a version range that allows too old versions',
      { volumes: [{ path: '/data' }] },
      [`volume.min-cubeship ${at}`],
      '0.6.0',
    ],
    ['none for a range that older versions cannot parse', { volumes: [{ path: '/data' }] }, [], '^0.6 ||'],
    ['an invalid range, only once', { volumes: [{ path: '/data' }] }, ['version.range minCubeship'], 'soon'],
    [
      'all problems in a fixed order',
      { volumes: [{ path: 'a' }, { path: '/b' }, { path: '/b' }], scale: 3 },
      [
        `volume.path ${at}.0.path`,
        `volume.duplicate ${at}.2.path`,
        `volume.one-copy ${at}`,
        `volume.min-cubeship ${at}`,
      ],
      '<1',
    ],
  ];
  for (const [what, app, said, minCubeship = '0.7.0'] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftWith(app, { minCubeship })), said));
  }

  test('reports volumes in a template without minCubeship', () => {
    assert.deepEqual(meaningOf(draftWith({ volumes: [{ path: '/data' }] })), [`volume.min-cubeship ${at}`]);
  });
});

describe('reported problems of TCP ports', () => {
  const at = 'apps.0.tcp';
  const cases: [what: string, tcp: DraftTcpPort[], said: string[]][] = [
    ['none for different ports', [{ port: 22 }, { port: 23, host: '2222' }, { port: 24, host: '${input.port}' }], []],
    [
      'a duplicate port',
      [{ port: 22 }, { port: 22 }, { port: 22 }],
      [`tcp.duplicate ${at}.1.port`, `tcp.duplicate ${at}.2.port`],
    ],
    ['a host port below 1024', [{ port: 22, host: '1023' }], [`tcp.host ${at}.0.host`]],
    ['a host port above 65535', [{ port: 22, host: '65536' }], [`tcp.host ${at}.0.host`]],
    ['a host port that is not a number', [{ port: 22, host: 'ssh' }], [`tcp.host ${at}.0.host`]],
    ['none for a host port with a plus sign', [{ port: 22, host: '+2222' }], []],
    ['a negative host port', [{ port: 22, host: '-2222' }], [`tcp.host ${at}.0.host`]],
    [
      'two equal invalid host ports, but no duplicate',
      ['ssh', 'ssh', '${input.nope}', '${input.nope}'].map((host, index) => ({ port: index + 1, host })),
      [
        ...[`tcp.host ${at}.0.host`, `tcp.host ${at}.1.host`],
        ...[`reference.unknown ${at}.2.host`, `reference.unknown ${at}.3.host`],
      ],
    ],
    ['text beside a reference', [{ port: 22, host: ' ${input.port}' }], [`tcp.host ${at}.0.host`]],
    ['a reference to an app', [{ port: 22, host: '${app.web.port}' }], [`tcp.host ${at}.0.host`]],
    ['a reference with an attribute', [{ port: 22, host: '${input.port.x}' }], [`tcp.host ${at}.0.host`]],
    ['an unknown input', [{ port: 22, host: '${input.nope}' }], [`reference.unknown ${at}.0.host`]],
    ['an input of another type', [{ port: 22, host: '${input.domain}' }], [`tcp.host ${at}.0.host`]],
    [
      'a duplicate host port',
      [
        { port: 22, host: '2222' },
        { port: 23, host: '2222' },
      ],
      [`tcp.host-duplicate ${at}.1.host`],
    ],
    [
      'none for equal host ports with different text',
      [
        { port: 22, host: '02222' },
        { port: 23, host: '2222' },
      ],
      [],
    ],
  ];
  for (const [what, tcp, said] of cases) {
    test(what, () => assert.deepEqual(meaningOf(draftWith({ tcp }, PARTS)), said));
  }

  test('reports a host port already used by another app', () => {
    const app = { ...APP, tcp: [{ port: 22, host: '2222' }] };
    const draft = draftOf({ ...PARTS, apps: [app, { ...app, key: 'b' }] });
    assert.deepEqual(meaningOf(draft), ['tcp.host-duplicate apps.1.tcp.0.host']);
  });

  const ranges: [input: Partial<DraftInput>, isWarned: boolean][] = [
    [{ min: 1024, max: 65_535 }, false],
    [{ min: 2000, max: 3000 }, false],
    [{ min: 1023, max: 65_535 }, true],
    [{ min: 1024, max: 65_536 }, true],
    [{ min: 1024 }, true],
    [{ max: 65_535 }, true],
    [{}, true],
  ];
  for (const [range, isWarned] of ranges) {
    test(`reports ${isWarned ? 'a warning' : 'nothing'} for a port input with ${JSON.stringify(range)}`, () => {
      const inputs: DraftInput[] = [DOMAIN, { key: 'port', type: 'number', label: 'x', ...range }];
      const draft = draftWith({ tcp: [{ port: 22, host: '${input.port}' }] }, { ...PARTS, inputs });
      assert.deepEqual(meaningOf(draft), isWarned ? [`tcp.host-range ${at}.0.host`] : []);
    });
  }

  test('reports TCP ports with several replicas or an old minCubeship', () => {
    const draft = draftWith({ tcp: [{ port: 22 }], scale: 2 }, { minCubeship: '0.7.1' });
    assert.deepEqual(meaningOf(draft), [`tcp.one-copy ${at}`, `tcp.min-cubeship ${at}`]);
  });
});
