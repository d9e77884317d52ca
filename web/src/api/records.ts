/** The records, under the names that the screens use. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type { RightName } from "./rightNames";

export type Me = Schemas["Me"];
export type Session = Schemas["Session"];
export type ObjectType = Schemas["Type"];
export type FieldDefinition = Schemas["FieldDefinition"];
export type KindFacts = Schemas["KindFacts"];
/** The kinds of fields that the server knows; a field may name another one. */
export type FieldKind = KindFacts["name"];
export type Group = Schemas["Group"];
export type Category = Schemas["Category"];
export type InventoryObject = Schemas["NativeObject"];
export type RenderedObject = Schemas["RenderedObject"];
export type Change = Schemas["Change"];

export type ObjectField = Schemas["Field"];
export type ObjectBody = Schemas["ObjectBody"];

/** The objects that a page refers to and the caller may see, by id. */
export type ReferenceTitles = Readonly<Record<string, Schemas["Label"]>>;
/** An API token, without its secret. */
export type Token = Schemas["Token"];
export type TokenBody = Schemas["TokenBody"];
export type SavedView = Schemas["View"];
export type SavedViewBody = Schemas["ViewBody"];
export type ObjectJob = Schemas["ObjectJob"];
export type ObjectJobBody = Schemas["ObjectJobBody"];

/** A page of a list. */
export interface Page<T> {
  results: T[];
  total: number;
}

export type User = Schemas["User"];
export type UserBody = Schemas["UserBody"];
export type Right = Schemas["Right"];
export type Setting = Schemas["Setting"];
/** An attempt to log in. */
export type LoginAttempt = Schemas["LoginEvent"];
/** What a dry run says would happen. */
export type Effects = Schemas["Effects"];
export type CategoryBody = Schemas["CategoryBody"];
export type SearchResult = Schemas["SearchResult"];
export type SearchResults = Schemas["SearchResults"];

/** What a change of a type would do to its objects. */
export type TypePreview = Schemas["TypePreview"];
/** A field, and the objects whose values are concerned. */
export type FieldFinding = Schemas["PreviewFinding"];
export type PreviewedObject = Schemas["PreviewedObject"];

export type Import = Schemas["Import"];
export type ImportColumn = Schemas["ImportColumn"];
export type ImportPlan = Schemas["ImportPlan"];
export type ImportPolicy = Schemas["ImportPolicy"];
export type ImportRow = Schemas["ImportRow"];
export type ImportRunBody = Schemas["ImportRunBody"];
export type ImportedRecords = Schemas["ImportedRecords"];
export type MissingPolicy = Schemas["SourceMissing"];
export type MissingRecord = Schemas["ImportMissing"];
export type ObjectSource = Schemas["ObjectSource"];
export type Operation = Schemas["BatchOperation"];
export type Source = Schemas["Source"];
export type SourceBody = Schemas["SourceBody"];
