/**
 * Options for the repair of an app. A repair is needed if containers, the image or the network of the app are missing
 * in Docker.
 */

export interface RepairOptions {
  /**
   * Whether Davit may pull the app's image again if the image is missing in Docker. `false` for some time after a
   * failed pull.
   */
  mayPull: boolean;
  /** Whether Davit may replace a container of the app if Docker refuses to start the container. */
  mayReplace: boolean;
  /** Called when Davit removes a container of the app in order to replace it. */
  onReplace: () => void;
}

/** Error if Davit currently cannot repair the containers of an app. The error message contains the reason for users. */
export class RepairFailed extends Error {
  override name = 'RepairFailed';
  /**
   * Whether the release's image is missing in Docker. The app can run again only after someone pulls or loads the
   * image.
   */
  readonly imageIsMissing: boolean;

  constructor(message: string, options: ErrorOptions & { imageIsMissing?: boolean } = {}) {
    super(message, options);
    this.imageIsMissing = options.imageIsMissing ?? false;
  }
}
