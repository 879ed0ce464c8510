/** Recipe of an image. The hash of the recipe is the tag of the image, so a changed recipe makes another image. */
export interface DebianImage {
  /** Name of the image, which becomes `davit/<name>`. */
  name: string;
  /** Debian packages with the binaries and files. The packages of their libraries are found automatically. */
  packages: string[];
  /** Absolute paths of files in those packages. */
  binaries: string[];
  entrypoint: string[];
  /** Folders of those packages that are copied completely. The libraries that their files need are added. */
  folders?: string[];
  /** Parts of paths in those folders. Files with such a path are omitted. */
  without?: string[];
  /** Packages that are omitted although the named packages depend on them, because only omitted files need them. */
  notNeeded?: string[];
  /** Content of further files by path. All users can read these files. */
  files?: Record<string, string>;
  /** Target of symbolic links by path. */
  links?: Record<string, string>;
  /** Variables for containers of the image. */
  env?: Record<string, string>;
  /** TCP ports that the image exposes. */
  ports?: number[];
  /** Tag that replaces the hash. A new recipe moves the tag to its image. */
  tag?: string;
  /**
   * Commands that check that the programs start. Each command must exit with 0, without a network and without
   * capabilities.
   */
  check?: string[][];
  /**
   * Environment variable that names a replacement image. Error messages mention the variable if the image cannot be
   * built.
   */
  setting?: string;
}
