import type { ChartMarker, Shown } from './plot-options.ts';

/** Returns one marker of each kind that a chart shows if it begins at `from`, sorted by kind. */
export function markerKinds(
  markers: readonly ChartMarker[],
  { from }: Pick<Shown, 'from'>,
): Pick<ChartMarker, 'kind' | 'tone'>[] {
  const shown = markers.filter(({ at }) => at >= from);
  const kinds = new Map(shown.map(({ kind, tone }) => [kind, { kind, tone }]));
  return [...kinds.values()].sort((a, b) => a.kind.localeCompare(b.kind));
}
