import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Manifest } from '@davit/template';
import { sampleApp, sampleManifest } from '../../test/support/sample-pages.ts';
import { createsView, totalOf } from './creates.ts';
import { inputsView } from './inputs.ts';

const text = async (page: ReturnType<typeof createsView>) =>
  String(await page)
    .replace(/<\/(?:dt|dd|p|li|tr|td|th)>/g, ' · ')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
const MIB = 2 ** 20;

describe('resources that a template creates', () => {
  it('adds up CPU and memory limits for the maximum number of replicas', () => {
    const limits = { cpu: 0.5, memory_bytes: 256 * MIB };
    const apps = [sampleApp({ limits, scale: 2 }), sampleApp({ limits, autoscale: { min: 1, max: 4, cpu: 50 } })];
    assert.equal(totalOf(sampleManifest({ apps })), '2 apps. Total limits: 3 CPUs and 1.5 GiB of memory.');
    assert.equal(
      totalOf(sampleManifest({ apps: [sampleApp(), sampleApp({ limits })] })),
      '2 apps. Total limits: 0.5 CPUs and 256 MiB of memory. 1 of the resources has no memory limit.',
    );
  });

  it('shows domains with the labels of their inputs, and conditions', async () => {
    const inputs: Manifest['inputs'] = [
      { key: 'domain', type: 'domain', label: 'Main', required: true },
      { key: 'other', type: 'domain', label: 'Other', required: false },
      { key: 'mail', type: 'choice', label: 'Mail', required: true, options: ['smtp', 'none'] },
    ];
    const app = sampleApp({
      domains: [
        { host: '${'.concat('input.domain}'), port: 80 },
        { host: '${'.concat('input.other}'), port: 81, when: { input: 'mail', not: 'none' } },
      ],
      volumes: [{ path: '/data', size_bytes: 2 ** 30 }],
      when: { input: 'mail', equals: 'smtp' },
    });
    const page = await text(createsView(sampleManifest({ inputs, apps: [app] })));

    assert.match(page, /“Main”, to port 80 ·/);
    assert.match(page, /“Other”, to port 81, if this input has a value, only when “Mail” is not “none” ·/);
    assert.match(page, /\/data \(about 1 GiB\)/);
    assert.match(page, /Condition · when “Mail” is “smtp” ·/);
  });

  it('shows the source repository of an app as a link', async () => {
    const source = {
      type: 'dockerfile' as const,
      repo: 'https://github.com/acme/x',
      ref: 'main:dir',
      dockerfile: null,
    };
    const page = String(await createsView(sampleManifest({ apps: [sampleApp({ source })] })));
    assert.match(
      page,
      /<a href="https:\/\/github\.com\/acme\/x"[^>]*>github\.com\/acme\/x<\/a> at <code>main:dir<\/code>/,
    );
  });
});

describe('inputs of a template', () => {
  it('shows whether an input is required, empty, generated or has a default', async () => {
    const shownValue = async (input: Partial<Manifest['inputs'][number]>) => {
      const page = await text(inputsView([{ key: 'k', type: 'secret', label: 'L', required: true, ...input }]));
      return /(?:Secret|Number) ·\s*(.*?) ·/.exec(page)?.[1];
    };
    assert.equal(await shownValue({}), 'Required');
    assert.equal(await shownValue({ required: false }), 'Empty');
    assert.equal(await shownValue({ type: 'number', default: 0 }), '0');
    assert.equal(await shownValue({ generate: 32 }), 'Generated: 32 characters');
    assert.equal(await shownValue({ format: 'hex', bytes: 32 }), 'Generated: 32 bytes as hex');
    assert.equal(await shownValue({ format: 'uuid' }), 'Generated: a UUID');
  });

  it('shows “No inputs” if the template has no inputs', async () => {
    assert.match(await text(inputsView([])), /No inputs/);
  });
});
