/** Options for the repair of an app whose containers, image or network are missing in Docker. */

export interface RepairOptions {
  /**
   * Whether the app's image may be pulled again if it is missing in Docker. `false` for some time after a failed pull.
   */
  mayPull: boolean;
  /** `true` if Davit may replace a container of the app that Docker refuses to start. */
  mayReplace: boolean;
  /** Called when Davit removes a container of the app to replace it with a new one. */
  onReplace: () => void;
}

/** Error if Davit cannot repair the containers of an app at the moment. The error message tells users the reason. */
export class RepairFailed extends Error {
  override name = 'RepairFailed';
  /**
   * `true` if the release's image is missing in Docker. The app can run again only after someone pulls or loads the
   * image.
   */
  readonly imageIsMissing: boolean;

  constructor(message: string, options: ErrorOptions & { imageIsMissing?: boolean } = {}) {
    super(message, options);
    this.imageIsMissing = options.imageIsMissing ?? false;
  }
}
