/** The example app that a new instance deploys at its first start. */
import type { App } from './schemas/app.ts';

/**
 * Label of the example app. The file `examples/hello/davit.yaml` contains the same label, so that the app keeps its
 * label after `davit up`.
 */
export const EXAMPLE_LABEL = 'davit.example';

/** Returns whether an app is the example app that a new instance deploys. */
export function isExampleApp({ labels }: Pick<App, 'labels'>): boolean {
  return Object.hasOwn(labels, EXAMPLE_LABEL);
}
