import Glibc
import HomelineOAuth

// Signs one request and prints its Authorization header. Nothing is sent.
//
//   swift run --package-path docs/examples/sign-a-request

// The keys are those of RFC 5849 §1.2; yours come from your provider.
let client = ClientCredentials(identifier: "dpf43f3p2l4k3l03", secret: Secret("kd94hf93k423kf44"))
let token = TokenCredentials(identifier: "nnch734d00sl2jdk", secret: Secret("pfkkdhi9sl3r4s00"))
let signer = Signer(client: client, token: .token(token), method: .hmacSHA1)

let url = try RequestURL("https://photos.example.net/photos?file=vacation.jpg")
let caption = [Parameter("caption", "é & 写真")]
let request = SignableRequest(method: "POST", url: url, form: caption)

// The library knows no clock: the time comes from whoever calls it.
let authorization = try signer.sign(request, stamp: .random(timestamp: Int64(time(nil))))

print("\(request.method) \(url)")
print("Authorization: \(authorization.headerValue)")
print("Content-Type: application/x-www-form-urlencoded")
print("")
print(FormEncoding.encode(caption))
