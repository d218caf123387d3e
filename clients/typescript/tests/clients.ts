/** The two ways to call, for tests of what must be the same for both. */

import { connect as overGrpc } from "@arbiter/client/node";
import { type Arbiter, connect as overGrpcWeb, type WebOptions } from "@arbiter/client/web";

export interface Way {
  readonly name: string;
  /** Options are those that both ways have. */
  connect(url: string, options?: Pick<WebOptions, "timeoutMs" | "retry" | "interceptors">): Arbiter;
}

export const grpc: Way = { name: "gRPC", connect: overGrpc };
const grpcWeb: Way = { name: "gRPC-web", connect: overGrpcWeb };
export const ways: readonly Way[] = [grpc, grpcWeb];

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
