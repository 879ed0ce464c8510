import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { APP, DOMAIN, draftOf, draftWith, meaningOf } from '../../test/support/drafts.ts';
import type { Draft, DraftApp, DraftInput, DraftTcpPort } from '../draft.ts';

const PORT: DraftInput = { key: 'port', type: 'number', label: 'x', min: 1024, max: 65_535 };
const PARTS: Partial<Draft> = { minCubeship: '0.7.2', inputs: [DOMAIN, PORT] };

describe('reported problems of volumes', () => {
  const at = 'apps.0.volumes';
  const cases: [what: string, app: Partial<DraftApp>, said: string[], minCubeship?: string][] = [
    ['nothing of several', { volumes: [{ path: '/data' }, { path: '/datas' }, { path: '/data/x' }] }, []],
    ['nothing of none, whatever the version', { volumes: [], scale: 2 }, [], '*'],
    ['a path that cannot be', { volumes: [{ path: 'data' }] }, [`volume.path ${at}.0.path`]],
    ['a path twice', { volumes: [{ path: '/data' }, { path: '/x/../data/' }] }, [`volume.duplicate ${at}.1.path`]],
    ['copies', { volumes: [{ path: '/data' }], scale: 2 }, [`volume.one-copy ${at}`]],
    ['spread', { volumes: [{ path: '/data' }], spread: true }, [`volume.one-copy ${at}`]],
    ['autoscale', { volumes: [{ path: '/data' }], autoscale: { max: 1, cpu: 80 } }, [`volume.one-copy ${at}`]],
    ['nothing of one copy', { volumes: [{ path: '/data' }], scale: 1, spread: false }, []],
    ['an old version that is let in', { volumes: [{ path: '/data' }] }, [`volume.min-cubeship ${at}`], '0.6.0'],
    ['nothing of a range that those before cannot read', { volumes: [{ path: '/data' }] }, [], '^0.6 ||'],
    ['a range that is none, once', { volumes: [{ path: '/data' }] }, ['version.range minCubeship'], 'soon'],
    [
      'everything in order',
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
    [
      'nothing of ports of their own',
      [{ port: 22 }, { port: 23, host: '2222' }, { port: 24, host: '${input.port}' }],
      [],
    ],
    [
      'a port twice',
      [{ port: 22 }, { port: 22 }, { port: 22 }],
      [`tcp.duplicate ${at}.1.port`, `tcp.duplicate ${at}.2.port`],
    ],
    ['a port of the host below 1024', [{ port: 22, host: '1023' }], [`tcp.host ${at}.0.host`]],
    ['a port of the host above 65535', [{ port: 22, host: '65536' }], [`tcp.host ${at}.0.host`]],
    ['what is no port', [{ port: 22, host: 'ssh' }], [`tcp.host ${at}.0.host`]],
    ['nothing of a number with a sign', [{ port: 22, host: '+2222' }], []],
    ['a number below nothing', [{ port: 22, host: '-2222' }], [`tcp.host ${at}.0.host`]],
    [
      'what is no port twice, and not that it is the same',
      ['ssh', 'ssh', '${input.nope}', '${input.nope}'].map((host, index) => ({ port: index + 1, host })),
      [
        ...[`tcp.host ${at}.0.host`, `tcp.host ${at}.1.host`],
        ...[`reference.unknown ${at}.2.host`, `reference.unknown ${at}.3.host`],
      ],
    ],
    ['more than a reference', [{ port: 22, host: ' ${input.port}' }], [`tcp.host ${at}.0.host`]],
    ['another reference', [{ port: 22, host: '${app.web.port}' }], [`tcp.host ${at}.0.host`]],
    ['an attribute', [{ port: 22, host: '${input.port.x}' }], [`tcp.host ${at}.0.host`]],
    ['an input that is not there', [{ port: 22, host: '${input.nope}' }], [`reference.unknown ${at}.0.host`]],
    ['an input of another type', [{ port: 22, host: '${input.domain}' }], [`tcp.host ${at}.0.host`]],
    [
      'a port of the host twice',
      [
        { port: 22, host: '2222' },
        { port: 23, host: '2222' },
      ],
      [`tcp.host-duplicate ${at}.1.host`],
    ],
    [
      'nothing of what only looks the same',
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
