import { bytes } from '@davit/api/byte-size.ts';
import type { Manifest, ManifestApp, ManifestSource } from '@davit/template';
import { codes, commonFacts, conditionWords, type Facts, fact, lines, reference, referredInput } from './facts.ts';
import { type Html, html, outward } from './markup.ts';
import { number } from './words.ts';

/** Returns the table rows that a template page shows about an app, such as its image, domains, volumes and command. */
export function appFacts(manifest: Manifest, app: ManifestApp): Facts {
  return [
    [app.source.type === 'image' ? 'Image' : 'Built from', sourceOf(app.source)],
    ...reachedBy(manifest, app),
    ...dataOf(manifest, app),
    ...runOf(app),
    ...copiesOf(app),
    ...commonFacts(manifest, app),
  ];
}

function reachedBy(manifest: Manifest, { domains, port, tcp, health }: ManifestApp): Facts {
  const names = domains.map(
    ({ host, port: at, when }) =>
      html`${reference(manifest, host)}, to port ${at}${whenAnswered(manifest, host)}${conditionWords(manifest, when)}`,
  );
  const ports = tcp.map(({ port: at, host, when }) => {
    const outside = host === null ? 'a port that the instance chooses' : reference(manifest, host);
    return html`${at}, on ${outside}${conditionWords(manifest, when)}`;
  });
  return [
    ...fact(names.length > 0, 'Domains', lines(names)),
    ...fact(names.length === 0 && port !== null, 'Port', String(port)),
    ...fact(ports.length > 0, 'TCP ports', lines(ports)),
    ...fact(health !== null, 'Health check', html`<code>${health}</code>`),
  ];
}

function whenAnswered({ inputs }: Manifest, host: string): string {
  const input = inputs.find(({ key }) => key === referredInput(host));
  return input && !input.required ? ', if this input has a value' : '';
}

function dataOf(manifest: Manifest, { volumes, attach, files = [] }: ManifestApp): Facts {
  const kept = volumes.map(({ path, size_bytes, when }) => {
    const size = size_bytes === undefined ? '' : ` (about ${bytes(size_bytes)})`;
    return html`<code>${path}</code>${size}${conditionWords(manifest, when)}`;
  });
  const used = attach.map(({ kind, key, bucket, when }) => {
    const part = bucket === null ? '' : html`, bucket <code>${bucket}</code>`;
    const noun = kind === 'store' ? 'the store' : 'the database';
    return html`${noun} <code>${key}</code>${part}${conditionWords(manifest, when)}`;
  });
  return [
    ...fact(kept.length > 0, 'Volumes', lines(kept)),
    ...fact(used.length > 0, 'Uses', lines(used)),
    ...fact(files.length > 0, 'Files', codes(files.map(({ path }) => path))),
  ];
}

function runOf({ command, args, depends_on = [] }: ManifestApp): Facts {
  return [
    ...fact(command !== undefined, 'Command', html`<code>${command?.join(' ')}</code>`),
    ...fact(args !== undefined, 'Arguments', html`<code>${args?.join(' ')}</code>`),
    ...fact(depends_on.length > 0, 'Starts after', codes(depends_on)),
  ];
}

function copiesOf({ scale, spread, autoscale }: ManifestApp): Facts {
  const words = autoscale
    ? `${autoscale.min} to ${autoscale.max}, by CPU use`
    : `${number(scale ?? 1)}${spread ? ', on different nodes' : ''}`;
  return fact(autoscale !== null || (scale ?? 1) > 1 || spread, 'Replicas', words);
}

function sourceOf(source: ManifestSource): Html {
  if (source.type === 'image') {
    return html`<code>${source.image}${source.tag === null ? '' : `:${source.tag}`}</code>`;
  }
  const by =
    source.type === 'dockerfile' ? html` with <code>${source.dockerfile ?? 'Dockerfile'}</code>` : ' with Railpack';
  const ref = source.ref === null ? '' : html` at <code>${source.ref}</code>`;
  return html`${outward(source.repo, source.repo.replace(/^\w+:\/\//, ''))}${ref}${by}`;
}
