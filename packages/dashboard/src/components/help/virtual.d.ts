declare module 'virtual:help-pages' {
  export const GROUPS: readonly {
    title: string;
    pages: readonly {
      /** Last part of the URL path of a help page. */
      name: string;
      title: string;
      /** Path of the help page in `docs/`. */
      path: string;
      load: () => Promise<{ default: string }>;
    }[];
  }[];
}
