/** JSON Schema, as far as the description of `/api/v1` uses it. */
export interface DescribedSchema {
  type?: string;
  format?: string;
  description?: string;
  enum?: (string | number)[];
  const?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  properties?: Record<string, DescribedSchema>;
  required?: string[];
  items?: DescribedSchema;
  prefixItems?: DescribedSchema[];
  anyOf?: DescribedSchema[];
}

/** By media type. */
export type DescribedContent = Record<string, { schema?: DescribedSchema; example?: unknown } | undefined>;

/** The type of an answer with a file's bytes, which have the file's type. */
export const ANY_TYPE = "*/*";

export interface DescribedParameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: DescribedSchema;
  example?: string | number;
}

export interface DescribedOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  /** Empty: the call takes no key. */
  security: object[];
  parameters: DescribedParameter[];
  requestBody?: { required: boolean; content: DescribedContent };
  responses: Record<string, { description: string; content?: DescribedContent }>;
}

/** A request that the site makes. */
type DescribedEvent = Pick<DescribedOperation, "summary" | "tags" | "parameters" | "requestBody">;

interface DescribedServer {
  url: string;
}
/** What can be done at a path. Servers here take the place of those of all calls. */
type DescribedPath = Partial<Record<DescribedMethod, DescribedOperation>> & { servers?: DescribedServer[] };
export const DESCRIBED_METHODS = ["get", "head", "options", "post", "put", "patch", "delete"] as const;
type DescribedMethod = (typeof DESCRIBED_METHODS)[number];

/** `/api/v1/openapi.json`, as far as the reference shows it. The build writes it (`scripts/openapi.ts`). */
export interface ApiDescription {
  servers: DescribedServer[];
  paths: Record<string, DescribedPath>;
  /** By the type of the event. */
  webhooks: Record<string, { post: DescribedEvent }>;
}
