/** Width and height of the SVG view box of a small line chart (sparkline). */
export const BOX = { width: 200, height: 40 } as const;

export interface SparklinePaths {
  line: string;
  /** SVG path of the area between the chart line and the bottom of the view box. */
  area: string;
}

/**
 * Returns the SVG paths of a small line chart. A missing measurement leaves a gap in the line.
 * @param full value at the top of the view box
 */
export function sparklinePaths(values: readonly (number | null)[], full: number): SparklinePaths {
  const step = BOX.width / Math.max(values.length - 1, 1);
  const y = (value: number) => round(BOX.height - 1 - Math.min(value / full, 1) * (BOX.height - 2));
  const runs: string[][] = [[]];
  values.forEach((value, at) => {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push(`${round(at * step)} ${y(value)}`);
  });
  const drawn = runs.filter((run) => run.length > 0);
  const x = (point: string | undefined) => point?.split(' ')[0] ?? '0';
  return {
    /*
     * Draw a single measurement as a line of length zero. SVG renders this line as a dot, because the line caps are
     * round.
     */
    line: drawn.map((run) => `M${run.join('L')}${run.length === 1 ? `L${run[0]}` : ''}`).join(''),
    area: drawn.map((run) => `M${x(run[0])} ${BOX.height}L${run.join('L')}L${x(run.at(-1))} ${BOX.height}Z`).join(''),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
