import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Check, ChevronsUpDown, CircleUser, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { paths } from '../paths.ts';
import { Menu } from '../ui/menu.tsx';
import type { MenuItem } from '../ui/menu-item.ts';
import { sayProblem } from '../ui/toast.tsx';
import { useMe } from './me.ts';
import { signOut } from './sign-out.ts';
import { chooseTheme, useTheme } from './theme.ts';
import { THEMES, type Theme } from './themes.ts';

const ICON = 'size-4';
const LOOKS: Record<Theme, { label: string; icon: typeof Sun }> = {
  system: { label: 'Theme: system', icon: Monitor },
  light: { label: 'Theme: light', icon: Sun },
  dark: { label: 'Theme: dark', icon: Moon },
};

const CHOSEN = <Check className={`${ICON} text-accent`} aria-label="chosen" />;

export function AccountMenu() {
  const { username, role } = useMe();
  const router = useRouter();
  const queries = useQueryClient();
  const themes = useThemes();
  const items: MenuItem[] = [
    {
      label: 'Account',
      icon: <CircleUser className={ICON} aria-hidden />,
      onSelect: () => void router.navigate({ to: paths.account() }),
    },
    ...themes,
    {
      label: 'Sign out',
      icon: <LogOut className={ICON} aria-hidden />,
      onSelect: () => void signOut(queries, router).catch(sayProblem),
    },
  ];
  return (
    <Menu
      items={items}
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left hover:bg-sunken data-[popup-open]:bg-sunken"
        >
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent uppercase"
          >
            {username.slice(0, 2)}
          </span>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="sr-only">Account of </span>
            <span className="block truncate text-sm font-medium">{username}</span>
            <span className="block text-xs text-soft">{role}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden />
        </button>
      }
    />
  );
}

function useThemes(): MenuItem[] {
  const chosen = useTheme();
  return THEMES.map((theme) => {
    const { label, icon: Icon } = LOOKS[theme];
    return {
      label,
      icon: <Icon className={ICON} aria-hidden />,
      onSelect: () => chooseTheme(theme),
      ...(theme === chosen && { end: CHOSEN }),
    };
  });
}
