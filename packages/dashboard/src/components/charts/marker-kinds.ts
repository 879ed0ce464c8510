import type { ChartMarker, Shown } from './plot-options.ts';

/** Returns one marker of each kind that a chart shows between the times `from` and `to`, sorted by kind. */
export function markerKinds(
  markers: readonly ChartMarker[],
  { from, to }: Pick<Shown, 'from' | 'to'>,
): Pick<ChartMarker, 'kind' | 'tone'>[] {
  const shown = markers.filter(({ at }) => at >= from && at <= to);
  const kinds = new Map(shown.map(({ kind, tone }) => [kind, { kind, tone }]));
  return [...kinds.values()].sort((a, b) => a.kind.localeCompare(b.kind));
}
