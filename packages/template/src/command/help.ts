/** Help text of the command `davit-template`. */
export const HELP = `Check templates, and convert Compose files to templates.

Usage:
  davit-template check [options] [<file | folder | address | ->...]
  davit-template import [options] <docker-compose.yml | ->

check: reports problems of a template.yaml, with the rules of the catalog. For a folder, it checks the template in it,
with README.md and icon.png if it is a repository, or all templates below it. The address can be that of a file, or of a
repository or release on GitHub. Default: the current folder.
  --json        print {file, valid, problems, manifest}, or a list of them for a folder
  --sarif       print SARIF 2.1.0, for code hosts
  --strict      exit with status 1 also for warnings

import: converts a Compose file to a template, and reports what could not be converted.
  -o, --output <file>   file for the template (default: stdout)
  --force               overwrite the file
  --project <name>      project that the template suggests (default: the name in the file)
  --repo <address>      Git repository of the services that are built from this folder
  --json                print {template, notes, problems}

  --no-color    print without colors
  --version     print the version
  -h, --help    print this

Exit status: 0 if all templates are valid, 1 if one is not, 2 if the arguments are wrong or a file cannot be read.
`;
