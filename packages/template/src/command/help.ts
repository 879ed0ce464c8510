/** Output of `davit-template --help`. */
export const HELP = `Checks templates, and makes them of Compose files.

Usage:
  davit-template check [options] [<file | folder | address | ->...]
  davit-template import [options] <docker-compose.yml | ->

check: what is wrong with a template.yaml, as the catalog sees it. A folder stands for the template in it,
with README.md and icon.png where it looks like a repository, or for every template below it; an address for a
file, or for a repository or release on GitHub. Absent: this folder.
  --json        print {file, valid, problems, manifest}; of a folder, a list
  --sarif       print SARIF 2.1.0, for code hosts
  --strict      end with 1 when there are warnings, too

import: a Compose file as a template, and what of it could not be carried.
  -o, --output <file>   write the template there; absent: to stdout
  --force               overwrite that file
  --project <name>      the project it suggests; absent: the name in the file
  --repo <address>      the repository that services built from this folder are in
  --json                print {template, notes, problems}

  --no-color    no colour
  --version     print the version
  -h, --help    print this

Ends with 0 when all is well, 1 when something is refused, 2 when the command line makes no sense or
something cannot be read.
`;
