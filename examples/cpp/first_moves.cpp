// Lists the variants, plays some moves of Three Universes Chess, asks why a move is illegal and reads an error.

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

#include <grpcpp/grpcpp.h>

#include "arbiter/v1/service.grpc.pb.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

namespace v1 = arbiter::v1;

namespace {

// No call has side effects, so any call can be repeated, here when the server is starting, stopping or out of reach.
constexpr char kServiceConfig[] = R"({
  "methodConfig": [{
    "name": [{"service": "arbiter.v1.ArbiterService"}],
    "retryPolicy": {
      "maxAttempts": 4, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2,
      "retryableStatusCodes": ["UNAVAILABLE"]
    }
  }]
})";

// In the last of them a bishop goes through the kings of Green and Red to the other universe, and captures there.
constexpr const char* kMoves[] = {
    "G:e2e4/R:d2d4", "G:e7e5/B:g8f6", "G:e1e2/B:g1f3", "R:e7e6/B:b8c6", "G:f1-R:b4/R:b4f8",
};

// Each call has a deadline of its own. A context serves one call only.
void SetDeadline(grpc::ClientContext& context) {
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
}

grpc::Status Apply(v1::ArbiterService::Stub& arbiter, const v1::Position& position, const std::string& text,
                   v1::ApplyMoveResponse& answer) {
  v1::ApplyMoveRequest request;
  *request.mutable_position() = position;
  request.mutable_move()->set_text(text);
  grpc::ClientContext context;
  SetDeadline(context);
  return arbiter.ApplyMove(&context, request, &answer);
}

bool ListVariants(v1::ArbiterService::Stub& arbiter) {
  v1::ListVariantsResponse listed;
  grpc::ClientContext context;
  SetDeadline(context);
  const grpc::Status status = arbiter.ListVariants(&context, {}, &listed);
  if (!status.ok()) {
    std::cerr << status.error_message() << '\n';
    return false;
  }
  for (const v1::Variant& variant : listed.variants()) {
    std::cout << variant.id() << ": " << variant.title() << " on";
    const char* separator = " ";
    for (const v1::BoardSpec& board : variant.boards()) {
      std::cout << separator << board.name() << (board.name().empty() ? "" : " ") << board.files() << 'x'
                << board.ranks();
      separator = ", ";
    }
    std::cout << '\n';
  }
  return true;
}

bool Play(v1::ArbiterService::Stub& arbiter, v1::Position& position) {
  for (const char* text : kMoves) {
    v1::ApplyMoveResponse played;
    const grpc::Status status = Apply(arbiter, position, text, played);
    if (!status.ok() || !played.legal()) {
      std::cerr << text << ": " << (status.ok() ? played.illegality().message() : status.error_message()) << '\n';
      return false;
    }
    // The name of a value that is newer than this program is empty.
    std::cout << played.move().long_text() << ": " << v1::State_Name(played.status().state()) << ", "
              << v1::Side_Name(played.status().to_move()) << " to move\n";
    // The position goes back as it came: by its history the service notices repetition.
    position = played.position();
  }
  return true;
}

// An illegal move is an answer: the call itself succeeds.
bool AskWhyIllegal(v1::ArbiterService::Stub& arbiter, const v1::Position& position) {
  v1::ApplyMoveResponse refused;
  const grpc::Status status = Apply(arbiter, position, "G:h8-B:b8", refused);
  if (!status.ok() || refused.legal()) {
    std::cerr << "G:h8-B:b8: " << (status.ok() ? "legal" : status.error_message()) << '\n';
    return false;
  }
  const v1::Illegality& illegality = refused.illegality();
  std::cout << "G:h8-B:b8: " << v1::IllegalReason_Name(illegality.reason()) << " at";
  for (const v1::Location& at : illegality.squares()) {
    std::cout << ' ' << at.board() << ':' << at.square();
  }
  std::cout << ": " << illegality.message() << '\n';
  return true;
}

// Prints what an error of the service says. Any other error has no reason.
bool PrintError(const grpc::Status& status) {
  google::rpc::Status details;
  google::rpc::ErrorInfo info;
  google::rpc::BadRequest request;
  details.ParseFromString(status.error_details());
  for (const google::protobuf::Any& detail : details.details()) {
    if (!detail.UnpackTo(&info)) {
      detail.UnpackTo(&request);
    }
  }
  if (info.domain() != "arbiter") {
    std::cerr << status.error_message() << '\n';
    return false;
  }
  const auto faults = info.metadata().find("faults");
  std::cout << "code " << status.error_code() << ": " << info.reason() << " ("
            << (faults == info.metadata().end() ? "" : faults->second) << ")\n";
  for (const google::rpc::BadRequest::FieldViolation& violation : request.field_violations()) {
    std::cout << "  " << violation.field() << ": " << violation.description() << '\n';
  }
  return true;
}

// A position that cannot be is an error.
bool AskImpossible(v1::ArbiterService::Stub& arbiter) {
  v1::Position impossible;
  impossible.set_variant("chess");
  impossible.set_fen("8/8/8/8/8/8/8/KK6 w - - 0 1");
  v1::ApplyMoveResponse answer;
  const grpc::Status status = Apply(arbiter, impossible, "a1a2", answer);
  if (status.ok()) {
    std::cerr << "the position was accepted\n";
    return false;
  }
  return PrintError(status);
}

}  // namespace

int main(int argc, char** argv) {
  grpc::ChannelArguments arguments;
  arguments.SetServiceConfigJSON(kServiceConfig);
  // One channel serves a whole program: it carries many calls at once, connects anew when the connection breaks, and
  // closes with the last stub that uses it.
  const std::unique_ptr<v1::ArbiterService::Stub> arbiter = v1::ArbiterService::NewStub(grpc::CreateCustomChannel(
      argc > 1 ? argv[1] : "127.0.0.1:50051", grpc::InsecureChannelCredentials(), arguments));

  // The variant alone is its initial position.
  v1::Position position;
  position.set_variant("three-universes");
  const bool well = ListVariants(*arbiter) && Play(*arbiter, position) && AskWhyIllegal(*arbiter, position) &&
                    AskImpossible(*arbiter);
  return well ? 0 : 1;
}
