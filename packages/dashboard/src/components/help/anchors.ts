/**
 * Returns the anchors (URL fragments) of headings. The anchors are the same as on GitHub, because links in the
 * documentation use GitHub's anchors.
 */
import { type Element, type Node, textOf } from '../markdown/markdown.ts';

/** Returns the anchor of each heading of a page. If the same heading occurs again, its anchor gets a number. */
export function anchorsOf(nodes: readonly Node[]): Map<Element, string> {
  const anchors = new Map<Element, string>();
  const times = new Map<string, number>();
  for (const node of nodes) {
    if (typeof node === 'string' || !/^h[1-6]$/.test(node.tag)) continue;
    const anchor = anchorOf(textOf(node.children));
    const before = times.get(anchor) ?? 0;
    times.set(anchor, before + 1);
    anchors.set(node, before === 0 ? anchor : `${anchor}-${before}`);
  }
  return anchors;
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
