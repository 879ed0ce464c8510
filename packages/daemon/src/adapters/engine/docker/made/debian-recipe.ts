/** What an image is made of. Its hash is the image's tag: a changed recipe is another image. */
export interface DebianImage {
  /** Becomes `davit/<name>`. */
  name: string;
  /** Debian packages that the binaries and files come from; their libraries' packages are found by themselves. */
  packages: string[];
  /** Absolute paths inside those packages. */
  binaries: string[];
  entrypoint: string[];
  /** Folders of those packages that are taken whole, with the libraries that what is in them asks for. */
  folders?: string[];
  /** Parts of paths in those folders that are left out. */
  without?: string[];
  /** Packages that the named ones depend on for something that is left out. */
  notNeeded?: string[];
  /** Further files, path to content; readable by all. */
  files?: Record<string, string>;
  /** Symbolic links, path to target. */
  links?: Record<string, string>;
  /** Variables of its containers. */
  env?: Record<string, string>;
  /** TCP ports that it exposes. */
  ports?: number[];
  /** Goes by this tag instead of its hash: an image of an older recipe loses it to the next. */
  tag?: string;
  /** Commands that prove that its programs start: each has to end with 0, without a network and without rights. */
  check?: string[][];
  /** The environment variable that names an image to use instead; said when one cannot be built here. */
  setting?: string;
}
