import type { DnsProvider } from '@davit/api';
import { KNOWN } from './dns-programs.ts';

export interface Variable {
  name: string;
  value: string;
}

export interface DnsDraft {
  name: string;
  provider: string;
  domains: string;
  /** Environment variables with the credentials of a DNS provider. `null` keeps the stored credentials. */
  variables: Variable[] | null;
  checks: boolean;
}

export function variablesFor(provider: string): Variable[] {
  const names = KNOWN.find(({ code }) => code === provider)?.variables ?? [''];
  return names.map((name) => ({ name, value: '' }));
}

export function draftOf(edited: DnsProvider | undefined): DnsDraft {
  if (edited === undefined) {
    return { name: '', provider: 'cloudflare', domains: '', variables: variablesFor('cloudflare'), checks: true };
  }
  const { name, provider, domains, check_propagation } = edited;
  return { name, provider, domains: domains.join('\n'), variables: null, checks: check_propagation };
}

/** Parses domain names that are separated by spaces, commas or line breaks. */
export function domainsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((domain) => domain !== '');
}

/**
 * Returns a message about the first empty required field of the DNS provider form. Returns `null` if no required field
 * is empty.
 */
export function whatIsMissing({ name, provider, domains, variables }: DnsDraft): string | null {
  if (name.trim() === '') return 'Enter a name first.';
  if (provider.trim() === '') return 'Enter the name that the lego library uses for the DNS provider.';
  if (domainsOf(domains).length === 0) return 'Enter a domain first.';
  if (variables?.some((one) => one.name.trim() === '' || one.value === '')) return 'Fill in the credentials first.';
  return variables?.length === 0 ? 'Add a credential first.' : null;
}

export function bodyOf({ name, provider, domains, variables, checks }: DnsDraft) {
  return {
    name: name.trim(),
    provider: provider.trim(),
    domains: domainsOf(domains),
    check_propagation: checks,
    ...(variables && { credentials: Object.fromEntries(variables.map((one) => [one.name.trim(), one.value])) }),
  };
}
