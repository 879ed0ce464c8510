import { chooseTheme, useTheme } from '../../layout/theme.ts';
import { THEMES, type Theme } from '../../layout/themes.ts';
import { Card } from '../../ui/card.tsx';
import { RadioGroup } from '../../ui/radio.tsx';

const LABELS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' };

export function Appearance() {
  return (
    <Card title="Appearance" description="Applies only to this browser.">
      <RadioGroup
        label="Theme"
        choices={THEMES.map((value) => ({ value, label: LABELS[value] }))}
        value={useTheme()}
        onChange={chooseTheme}
      />
    </Card>
  );
}
