/** The example app that the first start of an instance deploys. */
import type { App } from './schemas/app.ts';

/**
 * Label of the example app. The file examples/hello/davit.yaml repeats it, so the app keeps the label after `davit up`.
 */
export const EXAMPLE_LABEL = 'davit.example';

/** Returns whether an app is the example app of the first start. */
export function isExampleApp({ labels }: Pick<App, 'labels'>): boolean {
  return Object.hasOwn(labels, EXAMPLE_LABEL);
}
