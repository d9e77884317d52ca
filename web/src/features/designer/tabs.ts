export const DESIGNER_TABS = ["fields", "look", "access", "sample", "json"] as const;
export type DesignerTab = (typeof DESIGNER_TABS)[number];
