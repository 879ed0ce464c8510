import type { LiveView } from './live-view.ts';
import { stepLine } from './show-steps.ts';
import { NO_STEPS, type Step, type Steps } from './steps.ts';

/** Shows the steps of a deployment or task. Outside a terminal, each step is printed when it ends. */
export class ShownSteps {
  steps: Steps = NO_STEPS;
  readonly #view: LiveView;
  readonly #says: (name: string) => string;
  readonly #written = new Set<string>();
  /**
   * Map from step name to the time in milliseconds at which the CLI first received the step. The instance's clock is
   * not used, because it may differ from the local clock.
   */
  readonly #seenAt = new Map<string, number>();

  /** @param says returns the description of a step, which users read */
  constructor(view: LiveView, says: (name: string) => string) {
    this.#view = view;
    this.#says = says;
  }

  show(steps: Steps): void {
    this.steps = steps;
    for (const { name } of steps.list) if (!this.#seenAt.has(name)) this.#seenAt.set(name, performance.now());
    const running = steps.list.filter(({ state }) => state === 'running');
    this.#view.show((spinner) => running.map((step) => this.#line(step, spinner)));
    for (const step of steps.list) if (step.state !== 'running') this.#write(step);
  }

  end(): void {
    this.#view.clear();
  }

  #write(step: Step): void {
    if (this.#written.has(step.name)) return;
    this.#written.add(step.name);
    this.#view.line(this.#line(step));
  }

  #line(step: Step, spinner?: string): string {
    const ranMs = performance.now() - (this.#seenAt.get(step.name) ?? performance.now());
    return stepLine(step, this.#says(step.name), this.#view.paint, spinner, ranMs);
  }
}
