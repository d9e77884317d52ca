import type { ComponentType } from "react";
import type { Setting } from "~/kinds/kind";
import { DefaultSetting, PlaceholderSetting, ValueSetting } from "./basic";
import { OptionsSetting } from "./Options";
import { RegexSetting } from "./Regex";
import { SummariesSetting } from "./Summaries";
import type { SettingProps } from "./setting";
import { TargetsSetting } from "./Targets";

export const SETTING_EDITORS: Record<Setting, ComponentType<SettingProps>> = {
  placeholder: PlaceholderSetting,
  regex: RegexSetting,
  value: ValueSetting,
  default: DefaultSetting,
  options: OptionsSetting,
  ref_types: TargetsSetting,
  summaries: SummariesSetting,
};
