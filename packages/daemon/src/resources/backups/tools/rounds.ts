import { ToolFailed } from './program.ts';

/**
 * Runs an action for each item, and again for the failed items, because items can depend on each other. Stops if all
 * remaining items fail.
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
