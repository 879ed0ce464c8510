import { ToolFailed } from './program.ts';

/**
 * Runs an action for each item. Items can depend on each other, so the function repeats the action for failed items. It
 * stops if the action fails for all remaining items.
 * @returns the failed items
 */
export async function inRounds<T>(
  items: readonly T[],
  action: (item: T) => Promise<unknown>,
): Promise<{ item: T; why: string }[]> {
  const failed: { item: T; why: string }[] = [];
  for (const item of items) {
    try {
      await action(item);
    } catch (error) {
      if (!(error instanceof ToolFailed)) throw error;
      failed.push({ item, why: error.message });
    }
  }
  if (failed.length === items.length) return failed;
  return inRounds(
    failed.map(({ item }) => item),
    action,
  );
}
